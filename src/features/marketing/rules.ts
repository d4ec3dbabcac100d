import { brand } from '../../shared/brand.ts'
import { escapeHtml } from '../../shared/html.ts'
import { paths } from '../../shared/paths.ts'

/** Where a running server is reached and who answers there; the prerendered pages are filled with it when they are served. */
export type Site = { publicUrl: string; supportEmail: string; supportPhone: string }

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
