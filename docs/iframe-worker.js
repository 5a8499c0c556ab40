// What searches: a Worker for pages opened from the disk, where browsers allow none. The script runs in a frame instead.
class FrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.onmessage = null;
    const frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.append(frame);
    const inside = (this.inside = frame.contentWindow);
    inside.postMessage = (data) => this.given(data);
    inside.importScripts = (...urls) => Promise.all(urls.map(load));

    function load(from) {
      return new Promise((resolve, reject) => {
        const script = inside.document.createElement("script");
        script.src = new URL(from, location.href);
        script.onload = resolve;
        script.onerror = reject;
        inside.document.body.append(script);
      });
    }
    this.ready = load(url);
  }

  given(data) {
    const event = new MessageEvent("message", { data });
    this.dispatchEvent(event);
    this.onmessage?.(event);
  }

  postMessage(data) {
    this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
  }

  terminate() {
    this.inside.frameElement.remove();
  }
}

if (location.protocol === "file:") window.Worker = FrameWorker;
