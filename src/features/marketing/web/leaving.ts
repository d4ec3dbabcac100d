import { countUnsent, leaveTexts } from '../../crewapp/shelves/web/data.ts'

/** Somebody of a crew who signs out on a public page is asked first, as in the app, where this phone holds work of theirs that was not sent. */

type Member = { _id: string; language: 'en' | 'es' }

const parsed = <T>(key: string): Partial<T> => {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<T> | null) ?? {}
  } catch {
    return {}
  }
}

/** Whose days, conversations and photos this phone keeps: the crew app remembers its person, and the language of the phone goes before theirs. */
export const crewMember = (): Member | null => {
  const { _id, language } = parsed<Member>('swath.profile.employee')
  if (!_id) return null
  const chosen = parsed<Member>('swath.crew.settings').language ?? language
  return { _id, language: chosen === 'es' ? 'es' : 'en' }
}

const element = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] => Object.assign(document.createElement(tag), props)

/** Whether this person leaves: at once where everything was sent, else as they answer. Escape stays. */
export const mayLeave = async ({ _id, language }: Member): Promise<boolean> => {
  const unsent = await countUnsent(_id)
  if (unsent === 0) return true
  const t = leaveTexts[language]
  const dialog = element('dialog', { className: 'pn-leave', lang: language })
  dialog.setAttribute('aria-labelledby', 'pn-leave-title')
  const stay = element('button', { type: 'button', className: 'pn-btn pn-cta', textContent: t.stay })
  const leave = element('button', { type: 'button', className: 'pn-btn', textContent: t.signOutAnyway })
  const buttons = element('div', { className: 'pn-leave__buttons' })
  buttons.append(stay, leave)
  dialog.append(
    element('h2', { id: 'pn-leave-title', textContent: t.signOutTitle }),
    element('p', { textContent: t.signOutText(unsent) }),
    buttons,
  )
  document.querySelector('.pn')?.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    const end = (leaves: boolean) => {
      dialog.remove()
      resolve(leaves)
    }
    stay.addEventListener('click', () => end(false))
    leave.addEventListener('click', () => end(true))
    dialog.addEventListener('cancel', () => end(false))
  })
}
