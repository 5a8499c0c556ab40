"""Images: resizing, sampling, boxes."""
