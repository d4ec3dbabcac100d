/** Runs once the browser has drawn what the screen needs and has nothing to do, two seconds from now at the latest. Returns what calls it off. */
export const afterFirstPicture = (work: () => void): (() => void) => {
  // Safari has none
  if ('requestIdleCallback' in globalThis) {
    const id = requestIdleCallback(work, { timeout: 2_000 })
    return () => cancelIdleCallback(id)
  }
  const timer = setTimeout(work, 500)
  return () => clearTimeout(timer)
}
