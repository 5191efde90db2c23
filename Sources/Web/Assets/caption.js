// The page of a photo; it works without this.
