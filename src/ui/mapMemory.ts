import type { BaseName, BaseState } from './mapBase.ts'

/** What this browser remembers of maps. Private windows may refuse storage; then each map begins with streets. */

const baseKey = 'swath.map.base'
const usedKey = 'swath.map.used'

const read = (key: string): string | null => {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}
const write = (key: string, value: string): void => {
  try {
    window.localStorage.setItem(key, value)
  } catch {
    // a full or closed storage is no reason to draw no map
  }
}

export const rememberedBase = (): BaseName => (read(baseKey) === 'satellite' ? 'satellite' : 'streets')
/** Which base the next map begins with: satellite only while its pictures come, whatever was wished for last. */
export const baseOf = ({ shown, missing }: Pick<BaseState, 'shown' | 'missing'>): BaseName | null =>
  shown === 'satellite' ? 'satellite' : missing === 'satellite' ? 'streets' : null
export const rememberBase = (base: BaseName): void => write(baseKey, base)

/** Whether maps are looked at in this browser at all. */
export const looksAtMaps = (): boolean => read(usedKey) === '1'
export const rememberLooking = (): void => write(usedKey, '1')
