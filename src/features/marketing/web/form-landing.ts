import { readLeadState, saveLeadState } from '../../../shared/leadState.ts'
import { paths } from '../../../shared/paths.ts'
import { refusalOf } from './form-ask.ts'
import { checkedContact, fillContact, readToken, sendLead } from './form-lead.ts'
import { busyWhile, explain, leadTo, one, show } from './form-parts.ts'

/** The thanks and the ways on, in place of the form. */
const thank = (): HTMLElement | null => {
  const thanks = one('#thanks')
  show(one('[data-landing-form]'), false)
  thanks?.classList.add('is-on')
  return thanks
}

/** The landing form: name, e-mail, phone; then the way on. When it cannot be sent, the visitor goes on to the application with what he typed. */
export const bindLanding = (): void => {
  const form = one<HTMLFormElement>('form[data-landing]')
  if (!form) return
  form.noValidate = true
  // Whoever comes back in this tab has sent it already, or finds what they typed.
  if (readLeadState() && readToken()) thank()
  else fillContact(form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void busyWhile(one<HTMLButtonElement>('button[type=submit]', form), async () => {
      const contact = checkedContact(form)
      if (!contact) return
      try {
        await sendLead(form, contact, 'landing_page')
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal.status === 422) return explain(form, refusal)
        saveLeadState(contact)
        location.assign(paths.application)
        return
      }
      leadTo(one('h2', thank() ?? document))
    })
  })
}
