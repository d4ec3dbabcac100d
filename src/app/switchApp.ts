const key = 'swath.handed-over'
const pauseMs = 4_000

/**
 * The address now belongs to another of our builds (public page, office, crew): asks the server for its document. What the
 * navigation carried (`history.state.usr`) survives the reload.
 * @returns false when that was just tried and this build came back: then the caller shows something itself
 */
export const switchApp = (): boolean => {
  const here = window.location.pathname
  try {
    const [path, at] = (sessionStorage.getItem(key) ?? ' 0').split(' ')
    if (path === here && Date.now() - Number(at) < pauseMs) return false
    sessionStorage.setItem(key, `${here} ${Date.now()}`)
  } catch {
    if (performance.now() < pauseMs) return false
  }
  window.location.reload()
  return true
}
