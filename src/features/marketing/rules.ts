import { brand } from '../../shared/brand.ts'
import { escapeHtml } from '../../shared/html.ts'
import type { MapService } from '../../shared/maps.ts'
import { paths } from '../../shared/paths.ts'

/** Where a running server is reached and who answers there; the prerendered pages are filled with it when they are served. */
export type Site = {
  publicUrl: string
  supportEmail: string
  supportPhone: string
  company: string
  maps: readonly MapService[]
  /** Whether visitors are shown the demo business. */
  tour: boolean
}

const listed = (words: readonly string[]): string =>
  words.length < 3 ? words.join(' and ') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** The privacy notice's words on maps: who is asked, and what they see. */
export const mapNotice = (services: readonly MapService[]): string => {
  if (services.length === 0)
    return 'Maps in the office and in the crew app come from our own server; nobody else is asked.'
  const asked = services.map(({ name, hosts, shows }) => {
    const where = listed(hosts.map((host) => new URL(host).hostname).filter((host) => host !== name))
    return `${name}${where ? ` (${where})` : ''} for ${shows === 'streets' ? 'streets' : 'pictures from above, when somebody asks for them'}`
  })
  return `A browser that shows a map in the office or in the crew app asks ${listed(asked)}. Whoever is asked sees the address of that browser and which part of the map is looked at; names, addresses and pins are not sent to them.`
}

/** Stands for the public address in sitemap.xml and robots.txt until they are served. */
export const originMark = '{ORIGIN}'

/** A phone number as a `tel:` link; ten digits are taken as North American. */
export const telHref = (phone: string): string => {
  const digits = phone.replace(/\D/g, '')
  return `tel:+${digits.length === 10 ? `1${digits}` : digits}`
}

/**
 * Fills a prerendered page (or sitemap.xml, robots.txt) with this server's public address and support contact.
 * Unfilled pages work too: their links are relative and the contact is the example one.
 */
export const withSite = (text: string, site: Site): string =>
  text
    .replaceAll(
      / data-origin="(href|content)" \1="\//g,
      (_, attribute: string) => ` ${attribute}="${escapeHtml(site.publicUrl)}/`,
    )
    .replaceAll(/(<span data-maps="[^"]*">)[^<]*/g, (_, start: string) => start + escapeHtml(mapNotice(site.maps)))
    .replaceAll(/(<span data-company="[^"]*">)[^<]*/g, (_, start: string) => start + escapeHtml(site.company))
    .replace(/<p data-tour=""[^>]*>.*?<\/p>/gs, (text) => (site.tour ? text : ''))
    .replaceAll(originMark, escapeHtml(site.publicUrl))
    .replaceAll(brand.supportEmail, escapeHtml(site.supportEmail))
    .replaceAll(telHref(brand.supportPhone), telHref(site.supportPhone))
    .replaceAll(brand.supportPhone, escapeHtml(site.supportPhone))

/** Which account links the public nav shows. */
export type NavSession = 'out' | 'tier' | 'notier'

/** Readable hint cookie that the session layer sets beside the real, unreadable one: `tier` or `notier`. */
export const navCookie = 'swath_nav'

/** Reads the hint from a cookie string; anything else is signed out. */
export const navSessionOf = (cookies: string): NavSession => {
  const value = /(?:^|;\s*)swath_nav=(tier|notier)(?:;|$)/.exec(cookies)?.[1]
  return value === 'tier' || value === 'notier' ? value : 'out'
}

/** Readable hint cookie of the session layer: which of the two sessions this browser used last. */
export const appCookie = 'swath_app'

/** The kind of session that the hint names; admin when there is none. */
export const sessionKindHint = (cookies: string): 'admin' | 'employee' =>
  /(?:^|;\s*)swath_app=employee(?:;|$)/.test(cookies) ? 'employee' : 'admin'

/** Where the native app goes from a page that only the web shows: the person's own start, or the sign-in. */
export const appStartOf = (cookies: string): string => {
  if (navSessionOf(cookies) === 'out') return paths.signin
  return sessionKindHint(cookies) === 'employee' ? paths.employeeDashboard : paths.dashboard
}
