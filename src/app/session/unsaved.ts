type Field = HTMLInputElement | HTMLTextAreaElement

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

/** Searches and tick boxes are quickly done again; words and numbers are not. */
const isTyped = (field: Field): boolean =>
  field.type !== 'search' && field.type !== 'password' && field.type !== 'checkbox' && field.type !== 'radio'

/** Watches what is typed: it would be lost by leaving as long as its field is still on the screen with the same text in it. */
export const watchInput = (root: Pick<Document, 'addEventListener'>): { has: () => boolean } => {
  const typed = new Map<Field, string>()
  root.addEventListener(
    'input',
    (event) => {
      const { target } = event as Event
      if (isField(target) && isTyped(target)) typed.set(target, target.value)
    },
    { capture: true },
  )
  return {
    has: () => {
      for (const [field, value] of typed) if (!field.isConnected || field.value !== value) typed.delete(field)
      return [...typed.values()].some((value) => value.trim() !== '')
    },
  }
}
