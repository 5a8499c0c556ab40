// Where the boxes of a picture stand: in layers, each below all that it takes something from, and groups by their own.

const GAP = {across: 18, down: 26, inside: 12, title: 30};
const MOST_BENDS = 400;
const WIDEST = 1500;

// The sizes and places of a group's items, and the ways between them; groups that are unfolded are laid out inside.
function layOut(group, picture) {
  const boxes = group.items.map((item) => measured(item, picture));
  const edges = edgesAmong(boxes, picture);
  const layers = layered(boxes, edges);
  const ways = withBends(layers, edges);
  order(layers, ways.links);
  place(layers);
  const all = layers.flat();
  const width = Math.max(0, ...all.map((box) => box.x + box.width));
  const height = Math.max(0, ...all.map((box) => box.y + box.height));
  return {boxes, width, height, edges: ways.paths.map((path) => curve(path))};
}

function measured(item, picture) {
  if (typeof item === "number") {
    const [op, types, , , name] = picture.nodes[item];
    const label = name || op;
    const width = Math.min(280, 26 + 7.4 * Math.max(label.length, types.length * 0.86));
    return {node: item, label, types, width, height: 38};
  }
  const box = {group: item, nodes: nodesIn(item)};
  const label = 8.3 * (item.name.length + item.kind.length) + 84;
  if (!picture.open.has(item)) return Object.assign(box, {width: Math.max(130, label), height: 42});
  box.inner = layOut(item, picture);
  box.width = Math.max(label, box.inner.width + 2 * GAP.inside);
  box.height = box.inner.height + GAP.title + GAP.inside;
  return box;
}

function nodesIn(item) {
  if (typeof item === "number") return [item];
  item.all ??= item.items.flatMap(nodesIn);
  return item.all;
}

function edgesAmong(boxes, picture) {
  const owner = new Map();
  boxes.forEach((box, k) => {
    for (const node of box.nodes ?? [box.node]) owner.set(node, k);
  });
  const found = new Map();
  boxes.forEach((box, to) => {
    for (const node of box.nodes ?? [box.node]) {
      for (const source of picture.nodes[node][3]) {
        const from = owner.get(source);
        if (from !== undefined && from < to) found.set(`${from},${to}`, {from, to});
      }
    }
  });
  return [...found.values()];
}

// Items stand in the order of the program, so whatever one takes from stands before it. A layer that is too wide is
// several.
function layered(boxes, edges) {
  const depth = boxes.map(() => 0);
  for (const {from, to} of edges.sort((a, b) => a.to - b.to)) depth[to] = Math.max(depth[to], depth[from] + 1);
  const fed = new Set(edges.map((edge) => edge.to));
  const nearest = boxes.map(() => Infinity);
  for (const {from, to} of edges) nearest[from] = Math.min(nearest[from], depth[to] - 1);
  boxes.forEach((_, k) => {
    if (!fed.has(k) && nearest[k] < Infinity) depth[k] = nearest[k]; // what takes nothing stands where it is used
  });
  const byDepth = [];
  boxes.forEach((box, k) => (byDepth[depth[k]] ??= []).push(box));
  const layers = [];
  for (const all of byDepth) {
    let room = 0;
    for (const box of all) {
      if (room < box.width) {
        layers.push([]);
        room = WIDEST;
      }
      box.layer = layers.length - 1;
      layers.at(-1).push(box);
      room -= box.width + GAP.across;
    }
  }
  edges.forEach((edge) => Object.assign(edge, {start: boxes[edge.from], end: boxes[edge.to]}));
  return layers;
}

// Give edges that pass by layers a place in each, if they are not too many.
function withBends(layers, edges) {
  const bends = edges.reduce((sum, edge) => sum + edge.end.layer - edge.start.layer - 1, 0);
  const links = [];
  const paths = edges.map((edge) => {
    const path = [edge.start];
    for (let layer = edge.start.layer + 1; bends <= MOST_BENDS && layer < edge.end.layer; layer++) {
      const bend = {bend: true, width: 8, height: 0, layer};
      layers[layer].push(bend);
      path.push(bend);
    }
    path.push(edge.end);
    for (let k = 1; k < path.length; k++) links.push([path[k - 1], path[k]]);
    return path;
  });
  return {links, paths};
}

// Order each layer by the mean place of what its boxes are linked with: down, then up, twice.
function order(layers, links) {
  const above = new Map();
  const below = new Map();
  for (const [from, to] of links) {
    above.set(to, [...(above.get(to) ?? []), from]);
    below.set(from, [...(below.get(from) ?? []), to]);
  }
  const number = (layer) => layer.forEach((box, k) => (box.at = k - layer.length / 2));
  layers.forEach(number);
  for (let sweep = 0; sweep < 4; sweep++) {
    const beside = sweep % 2 ? below : above;
    for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
      for (const box of layer) {
        const others = beside.get(box);
        box.wish = others ? others.reduce((sum, other) => sum + other.at, 0) / others.length : box.at;
      }
      layer.sort((a, b) => a.wish - b.wish);
      number(layer);
    }
  }
}

function place(layers) {
  const widths = layers.map((layer) => layer.reduce((sum, box) => sum + box.width + GAP.across, -GAP.across));
  const widest = Math.max(0, ...widths);
  let y = 0;
  layers.forEach((layer, k) => {
    let x = (widest - widths[k]) / 2;
    const height = Math.max(...layer.map((box) => box.height));
    for (const box of layer) {
      Object.assign(box, {x, y: box.bend ? y + height / 2 : y});
      x += box.width + GAP.across;
    }
    y += height + GAP.down;
  });
}

function curve(path) {
  const points = path.map((box, k) => ({
    x: box.x + box.width / 2,
    y: box.bend ? box.y : k ? box.y : box.y + box.height,
  }));
  let text = `M${points[0].x},${points[0].y}`;
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1], points[k]];
    const middle = (a.y + b.y) / 2;
    text += `C${a.x},${middle} ${b.x},${middle} ${b.x},${b.y}`;
  }
  return {path: text, start: path[0], end: path.at(-1)};
}
