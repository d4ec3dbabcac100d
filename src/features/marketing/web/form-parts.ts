import { keepLeadState, readLeadState } from '../../../shared/leadState.ts'
import { checkContact, type LeadContact } from '../../prospects/rules.ts'
import { visit } from './visit.ts'

/** What the forms of the public site share: asking the server, showing what is wrong, what a browser keeps. */

export class Refusal extends Error {
  readonly status: number
  readonly errors: { path: string; message: string }[]
  constructor(status: number, message: string, errors: { path: string; message: string }[] = []) {
    super(message)
    this.status = status
    this.errors = errors
  }
}

const noAnswer = 'We could not reach Swath. Nothing was lost: check your connection and try again.'

/** One call of the API. @throws Refusal; status 0 when no answer came */
export const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => null)
  if (!answer) throw new Refusal(0, noAnswer)
  const content = (await answer.json().catch(() => ({}))) as {
    message?: string
    errors?: { path: string; message: string }[]
  }
  if (!answer.ok)
    throw new Refusal(
      answer.status,
      content.message ?? 'Something went wrong on our side. Nothing was lost; please try again.',
      content.errors,
    )
  return content as T
}

export const one = <E extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): E | null =>
  root.querySelector<E>(selector)

type Child = Node | string | null | false
/** A small element: `el('p', { class: 'x' }, 'words')`. Words are always text, never markup. */
export const el = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== false) made.setAttribute(name, value === true ? '' : value)
  made.append(...children.filter((child): child is Node | string => child !== null && child !== false))
  return made
}

export const show = (element: HTMLElement | null, isOn: boolean): void => {
  element?.toggleAttribute('hidden', !isOn)
}

/** Takes back what was said of one field, and the form's own line with the last of them. */
const clearError = (root: HTMLElement, name: string): void => {
  one(`#error-${CSS.escape(name)}`, root)?.remove()
  for (const field of root.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
    field.removeAttribute('aria-invalid')
    field.removeAttribute('aria-describedby')
  }
  if (!one('.fx-error', root)) say(root, '')
}

/** Puts each message under its field and the first one into the form's own line; the first wrong field gets the focus. */
export const showErrors = (root: HTMLElement, errors: readonly { path: string; message: string }[]): void => {
  for (const old of root.querySelectorAll('.fx-error')) old.remove()
  for (const field of root.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid')
    field.removeAttribute('aria-describedby')
  }
  let first: HTMLElement | null = null
  for (const { path, message } of errors) {
    const field = one<HTMLInputElement>(`[name="${path}"]`, root)
    if (!field) continue
    const id = `error-${path}`
    if (field.type === 'radio')
      for (const other of root.querySelectorAll(`[name="${path}"]`))
        other.addEventListener('input', () => clearError(root, path), { once: true })
    const place = field.type === 'radio' ? field.closest('fieldset') : field.parentElement
    place?.append(el('p', { class: 'fx-error', id }, message))
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', id)
    first ??= field
    // Whoever mends a field is not told off any longer.
    field.addEventListener('input', () => clearError(root, path), { once: true })
  }
  first?.focus()
}

/** The form's own line for what went wrong or how it stands. */
export const say = (root: HTMLElement, words: string, tone: 'bad' | 'plain' = 'bad'): void => {
  const line = one('[data-say]', root)
  if (!line) return
  line.textContent = words
  line.dataset.tone = tone
  show(line, words !== '')
}

/** Runs `work` once at a time: a second press while it runs does nothing. */
export const busyWhile = async (button: HTMLButtonElement | null, work: () => Promise<void>): Promise<void> => {
  if (button?.getAttribute('aria-busy') === 'true') return
  button?.setAttribute('aria-busy', 'true')
  try {
    await work()
  } finally {
    button?.removeAttribute('aria-busy')
  }
}

const field = (root: HTMLElement, name: string): string => one<HTMLInputElement>(`[name="${name}"]`, root)?.value ?? ''

export const readContact = (root: HTMLElement): LeadContact => ({
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
export const keepToken = (token: string): void => {
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
  keepLeadState(contact)
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
  keepToken(token)
  return token
}

/** `#name=value` of the address, taken out of it at once: a token of a mail does not stay in sight or in the history. */
export const takeFragment = (name: string): string | null => {
  const match = new RegExp(`^#${name}=([\\w-]{20,100})$`).exec(location.hash)
  if (!match?.[1]) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return match[1]
}
