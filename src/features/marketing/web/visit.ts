/** Where a visitor came from, kept for this tab only. A browser that asks not to be followed gets no id and nothing is kept. */

export const attribution = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'gclid'] as const

export type Visit = { visitId?: string; landingTime: string; referrer: string; isMobile: boolean } & Partial<
  Record<(typeof attribution)[number], string>
>

const key = 'swath.visit'

type Private = { doNotTrack?: string | null; globalPrivacyControl?: boolean }
const wantsPrivacy = (): boolean => {
  const { doNotTrack, globalPrivacyControl } = navigator as Private
  return doNotTrack === '1' || globalPrivacyControl === true
}

const now = (): Visit => {
  const query = new URLSearchParams(location.search)
  const found = Object.fromEntries(
    attribution.flatMap((mark) => {
      const value = query.get(mark)
      return value ? [[mark, value.slice(0, 300)]] : []
    }),
  )
  const own = document.referrer.startsWith(`${location.origin}/`)
  return {
    ...found,
    landingTime: new Date().toISOString(),
    referrer: own ? '' : document.referrer.slice(0, 2000),
    isMobile: matchMedia('(max-width: 768px), (pointer: coarse)').matches,
  }
}

const isFromAd = (one: Visit): boolean => attribution.some((mark) => Boolean(one[mark]))

/** The visit of this tab as it began, or as the first advertisement brought it: what was looked at without one before or after does not take that away. */
export const visit = (): Visit => {
  const fresh = now()
  if (wantsPrivacy()) return fresh
  try {
    const known = sessionStorage.getItem(key)
    const began = known ? (JSON.parse(known) as Visit) : null
    if (began && (isFromAd(began) || !isFromAd(fresh))) return began
    const made = {
      ...fresh,
      landingTime: began?.landingTime ?? fresh.landingTime,
      visitId: began?.visitId ?? crypto.randomUUID(),
    }
    sessionStorage.setItem(key, JSON.stringify(made))
    return made
  } catch {
    return fresh
  }
}

/** Tells the server that this page is looked at. It needs no answer and holds nothing up. */
export const noteVisit = (): void => {
  const { visitId, landingTime, ...rest } = visit()
  if (!visitId) return
  const body = JSON.stringify({ ...rest, visitId, path: location.pathname })
  navigator.sendBeacon?.('/api/leads/visits', new Blob([body], { type: 'application/json' }))
}
