import { looksLikeEmail } from '../../prospects/rules.ts'
import { ask, refusalOf } from './form-ask.ts'
import { busyWhile, explain, leadTo, one, say, show, showErrors } from './form-parts.ts'

/** The contact form. Without this script it is sent as a plain form. */
export const bindContact = (): void => {
  const form = one<HTMLFormElement>('form[data-contact]')
  if (!form) return
  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void busyWhile(one<HTMLButtonElement>('button[type=submit]', form), async () => {
      const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
      const errors = ['name', 'email', 'message']
        .filter((name) => !given[name]?.trim())
        .map((path) => ({ path, message: 'Please fill in all required fields' }))
      if (errors.length === 0 && !looksLikeEmail(given.email?.trim() ?? ''))
        errors.push({ path: 'email', message: 'Please enter a valid email address' })
      showErrors(form, errors)
      say(form, errors[0]?.message ?? '')
      if (errors.length > 0) return
      try {
        await ask('POST', '/api/contact', given)
      } catch (error) {
        return explain(form, refusalOf(error))
      }
      show(form, false)
      const sent = one('#sent')
      sent?.classList.add('is-on')
      leadTo(one('h2', sent ?? document))
    })
  })
}
