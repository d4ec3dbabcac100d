/** The script of the pages with a form. It stands only there, after the page, and leaves the rest of the site without it. */
import { bindApplication } from './form-application.ts'
import { bindBookCall } from './form-call.ts'
import { bindContact } from './form-contact.ts'
import { bindLanding } from './form-landing.ts'
import './public-forms.css'

const start = (): void => {
  bindLanding()
  bindContact()
  void bindApplication()
  void bindBookCall()
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
else start()
