import { paths } from '../../../shared/paths.ts'
import { consentLine } from '../../prospects/rules.ts'

/** The field that only a machine fills; nobody sees it, and no keyboard reaches it. */
export const HiddenField = () => (
  <div className="fx-trap" aria-hidden="true">
    <label>
      Company
      <input name="company" tabIndex={-1} autoComplete="off" />
    </label>
  </div>
)

/** Name, e-mail and phone with the consent line: the same on each page that asks for them. */
export const ContactFields = ({ prefix }: { prefix: string }) => (
  <>
    <div className="fx-field">
      <label htmlFor={`${prefix}-name`}>Full name</label>
      <input id={`${prefix}-name`} name="name" autoComplete="name" maxLength={120} required />
    </div>
    <div className="fx-field">
      <label htmlFor={`${prefix}-email`}>Email</label>
      <input id={`${prefix}-email`} name="email" type="email" autoComplete="email" maxLength={254} required />
    </div>
    <div className="fx-field">
      <label htmlFor={`${prefix}-phone`}>Phone</label>
      <input id={`${prefix}-phone`} name="phone" type="tel" autoComplete="tel" maxLength={40} required />
    </div>
    <HiddenField />
    <p className="fx-consent">
      {consentLine} See <a href={paths.privacy}>Privacy</a> and <a href={paths.smsTerms}>SMS terms</a>.
    </p>
  </>
)

/** What went wrong, or how it stands; empty until there is something to say. */
export const FormSay = () => <p className="fx-say" data-say="" role="alert" hidden />
