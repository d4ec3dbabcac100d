import { forgetOtherChats } from '../../web/chat/kept.ts'
import { forgetCodesOf } from '../../web/gate/keptCodes.ts'
import { dropTicked } from '../../web/load/tickedKept.ts'
import { forgetOtherDays } from '../../web/store.ts'

export { leaveTexts } from './leaveTexts.ts'
export { countUnsent } from './unsent.ts'

/** Where a phone keeps what its people were shown. Without the app: also a public page, on which somebody signs out, clears them. */

/** Each followed by its person; an older version kept them without one. */
const photoCaches = ['swath-stop-photos', 'swath-last-photos']
/** Of every number: their shapes go up one by one, and what an older version kept goes, too. */
const words = /^(?:swath-(?:sheets|quotes|profile)-\d+|swath\.whereabouts):/

export const dropCaches = async (isGone: (owner: string) => boolean): Promise<void> => {
  if (typeof caches === 'undefined') return
  for (const name of await caches.keys()) {
    const [kind = '', owner = ''] = name.split(':')
    if (photoCaches.includes(kind) && isGone(owner)) await caches.delete(name)
  }
}

export const dropWords = (isGone: (owner: string) => boolean): void => {
  try {
    for (const key of Object.keys(localStorage)) {
      const [prefix] = words.exec(key) ?? []
      if (prefix && isGone(key.slice(prefix.length))) localStorage.removeItem(key)
    }
    dropTicked(isGone)
  } catch {
    // a browser that keeps nothing has nothing to forget
  }
}

/** Days, conversations and gate codes; what was not sent stays. */
export const dropDatabases = (isGone: (owner: string) => boolean): Promise<unknown> =>
  Promise.allSettled([forgetOtherDays(isGone), forgetOtherChats(isGone), forgetCodesOf(isGone)])

/** How long somebody who leaves waits at most. */
const patienceMs = 2_000

/** This person leaves this phone on a page that is not the app's. Never fails: what could not be removed goes when the next one signs in. */
export const clearShelves = async (userId: string): Promise<void> => {
  const isTheirs = (owner: string): boolean => owner === userId || owner === ''
  dropWords(isTheirs)
  await Promise.race([
    Promise.allSettled([dropDatabases(isTheirs), dropCaches(isTheirs)]),
    new Promise((resolve) => setTimeout(resolve, patienceMs)),
  ])
}
