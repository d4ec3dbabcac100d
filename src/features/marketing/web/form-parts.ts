import type { Refusal } from './form-ask.ts'

/** What the forms of the public site share on screen: elements, what is wrong and where, one press at a time. */

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
    // Whoever fixes a field is not told off any longer.
    field.addEventListener('input', () => clearError(root, path), { once: true })
  }
  first?.focus()
}

/** The form's own line for what went wrong or how it stands. */
export const say = (root: HTMLElement, message: string, tone: 'bad' | 'plain' = 'bad'): void => {
  const line = one('[data-say]', root)
  if (!line) return
  line.textContent = message
  line.dataset.tone = tone
  show(line, message !== '')
  // On a phone the line stands above the window while the button is pressed below it.
  if (message !== '' && tone === 'bad') line.scrollIntoView({ block: 'nearest' })
}

/** Takes the reader to what has just appeared: the form that stood there may have been longer than the screen. */
export const leadTo = (heading: HTMLElement | null): void => {
  heading?.focus({ preventScroll: true })
  heading?.scrollIntoView({ block: 'nearest' })
}

/** Puts a refusal on screen: under the fields that it names, and in the form's own line. */
export const explain = (root: HTMLElement, { errors, message }: Refusal): void => {
  showErrors(root, errors)
  say(root, errors[0]?.message ?? message)
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
