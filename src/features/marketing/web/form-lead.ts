import { readLeadState, saveLeadState } from '../../../shared/leadState.ts'
import { checkContact, type LeadContact } from '../../prospects/rules.ts'
import { ask } from './form-ask.ts'
import { one, say, showErrors } from './form-parts.ts'
import { visit } from './visit.ts'

/** Who is asking: name, e-mail and phone, and the token of the application that they belong to. */

const field = (root: HTMLElement, name: string): string => one<HTMLInputElement>(`[name="${name}"]`, root)?.value ?? ''

const readContact = (root: HTMLElement): LeadContact => ({
  name: field(root, 'name').trim(),
  email: field(root, 'email').trim().toLowerCase(),
  phone: field(root, 'phone').trim(),
})

/** Fills in what the visitor left on an earlier page of this tab. */
export const fillContact = (root: HTMLElement): void => {
  const known = readLeadState()
  if (!known) return
  for (const [name, value] of Object.entries(known)) {
    const input = one<HTMLInputElement>(`[name="${name}"]`, root)
    if (input && input.value === '') input.value = value
  }
}

// What is kept for later visits is a token; the answers themselves stand with the lead.
const tokenKey = 'swath.application'
export const saveToken = (token: string): void => {
  try {
    localStorage.setItem(tokenKey, token)
  } catch {
    // without storage the application lasts as long as this page
  }
}
export const readToken = (): string | null => {
  try {
    return localStorage.getItem(tokenKey)
  } catch {
    return null
  }
}
export const dropToken = (): void => {
  try {
    localStorage.removeItem(tokenKey)
  } catch {
    // there was none
  }
}

/** The three fields, checked in the words of the form; null when something is wrong, which is then on screen. */
export const checkedContact = (root: HTMLElement): LeadContact | null => {
  const contact = readContact(root)
  const errors = checkContact(contact)
  showErrors(root, errors)
  say(root, errors[0]?.message ?? '')
  return errors.length > 0 ? null : contact
}

/** Leaves name, e-mail and phone with everything that the browser knows of the visit. Returns the token of a new application. */
export const sendLead = async (
  root: HTMLElement,
  contact: LeadContact,
  source: 'landing_page' | 'quote_builder_direct',
): Promise<string> => {
  saveLeadState(contact)
  const { token } = await ask<{ token: string }>('POST', '/api/leads', {
    ...visit(),
    ...contact,
    source,
    company: field(root, 'company'),
    userAgent: navigator.userAgent.slice(0, 600),
    platform: navigator.platform ?? '',
    language: navigator.language,
    screenResolution: `${screen.width}x${screen.height}`,
    viewport: `${innerWidth}x${innerHeight}`,
    currentUrl: location.href.slice(0, 2000),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  saveToken(token)
  return token
}

/** `#name=value` of the address, taken out of it at once: a token of a mail does not stay in sight or in the history. */
export const takeFragment = (name: string): string | null => {
  const match = new RegExp(`^#${name}=([\\w-]{20,100})$`).exec(location.hash)
  if (!match?.[1]) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return match[1]
}
