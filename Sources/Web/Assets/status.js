// Renews the status page every 15 seconds while it is visible and not in use. A checkbox turns that off (WCAG 2.2, 2.2.1 and
// 2.2.2). If the server does not answer, the page is reloaded, so that no stale page says that all is well.
