import { keepLeadState } from '../../../shared/leadState.ts'
import { paths } from '../../../shared/paths.ts'
import { busyWhile, checkedContact, one, Refusal, say, sendLead, show, showErrors } from './form-parts.ts'

/** The landing form: name, e-mail, phone; then the way on. When it can not be sent, the visitor goes on to the application with what he typed. */
export const bindLanding = (): void => {
  const form = one<HTMLFormElement>('form[data-landing]')
  if (!form) return
  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void busyWhile(one<HTMLButtonElement>('button[type=submit]', form), async () => {
      const contact = checkedContact(form)
      if (!contact) return
      try {
        await sendLead(form, contact, 'landing_page')
      } catch (error) {
        if (error instanceof Refusal && error.status === 422) {
          showErrors(form, error.errors)
          say(form, error.errors[0]?.message ?? error.message)
          return
        }
        keepLeadState(contact)
        location.assign(paths.application)
        return
      }
      const thanks = one('#thanks')
      show(one('[data-landing-form]'), false)
      thanks?.classList.add('is-on')
      one('h2', thanks ?? document)?.focus()
    })
  })
}
