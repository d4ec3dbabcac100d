import { leavingWork } from './leavingWork.ts'

const key = 'swath.handed-over'
const pauseMs = 4_000

/** The path for which the server gave this document; navigations inside of it do not change it. */
const loadedAt = (): string | null => {
  const [entry] = performance.getEntriesByType('navigation')
  return entry && URL.canParse(entry.name) ? new URL(entry.name).pathname : null
}

const reload = (): void => {
  const work = leavingWork()
  // a line that is dead keeps nobody on this page
  if (work)
    void Promise.race([work, new Promise((done) => setTimeout(done, pauseMs))]).then(() => window.location.reload())
  else window.location.reload()
}

/**
 * The address now belongs to another of our builds (public page, office, crew): asks the server for its document. What the
 * navigation carried (`history.state.usr`) survives the reload.
 * @returns false when that was just tried and this build came back: then the caller shows something itself
 */
export const switchApp = (): boolean => {
  const here = window.location.pathname
  try {
    // A document that was loaded at another address has not been tried for this one, however short ago another one was.
    const from = loadedAt()
    if (from !== null && from !== here) {
      reload()
      return true
    }
    const [path, at] = (sessionStorage.getItem(key) ?? ' 0').split(' ')
    if (path === here && Date.now() - Number(at) < pauseMs) return false
    sessionStorage.setItem(key, `${here} ${Date.now()}`)
  } catch {
    if (performance.now() < pauseMs) return false
  }
  reload()
  return true
}
