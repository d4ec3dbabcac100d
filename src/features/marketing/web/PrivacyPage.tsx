import { brand } from '../../../shared/brand.ts'
import { mapNotice } from '../rules.ts'
import { type LegalPart, LegalText } from './LegalText.tsx'

const parts: readonly LegalPart[] = [
  {
    id: 'who',
    title: 'Whose data, and who decides',
    body: (
      <>
        <p>
          A business that uses {brand.name} keeps its customers, properties, crews and work here. That business decides
          what is kept and why; we keep it on its behalf.
        </p>
        <p>
          For the people who sign in, who visit these pages or who write to us, we decide ourselves, as described below.
        </p>
      </>
    ),
  },
  {
    id: 'what',
    title: 'What is kept',
    body: (
      <ul>
        <li>
          <b>Accounts:</b> name, e-mail or phone, role, and a password that is stored only as a hash.
        </li>
        <li>
          <b>Customers and properties:</b> names, addresses, contact details, lawn sizes, notes and photos that the
          business puts in.
        </li>
        <li>
          <b>Work:</b> visits, routes, times on the clock, and, of crew members who choose to share it on their own
          phone, where they were on the clock, for 14 days. They can stop at any time, and it is deleted.
        </li>
        <li>
          <b>Money:</b> quotes, invoices and payments. Card numbers stay with the payment provider.
        </li>
        <li>
          <b>Messages:</b> what was sent to whom, when, with consent and opt-outs.
        </li>
        <li>
          <b>Visits to these pages:</b> which page, which campaign or site led here, and a random number for the browser
          tab, for 13 months. It is tied to a person only when that person sends us a form. A browser that asks not to
          be followed (Do Not Track, Global Privacy Control) gets no number and is not counted.
        </li>
        <li>
          <b>What you send us:</b> the landing form, the application, booked calls and messages, with the device and
          language of the browser they came from.
        </li>
        <li>
          <b>Technical records:</b> requests with address and time, to keep the service running and safe.
        </li>
      </ul>
    ),
  },
  {
    id: 'why',
    title: 'What it is used for',
    body: (
      <p>
        To do what you ask of {brand.name}, to keep it secure, to answer you, to bill you and to meet legal duties. We
        do not sell data, and we do not use one business’s data for another.
      </p>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <p>
        Signing in sets a cookie that keeps the session, unreadable to scripts, and a second one that only says which
        links the menu should show. These pages set no others and load nothing from anyone else’s servers. An
        application you have begun is kept in your browser, so that you can go on with it.
      </p>
    ),
  },
  {
    id: 'others',
    title: 'Who else sees it',
    body: (
      <>
        <p>
          Providers that carry out a part of the service: card payments, text messages, e-mail, maps and hosting. Each
          gets what its part needs. Authorities get data only where the law obliges us.
        </p>
        <p>
          <b>Maps:</b> <span data-maps="">{mapNotice([])}</span>
        </p>
      </>
    ),
  },
  {
    id: 'sms',
    title: 'Phone numbers',
    body: (
      <p>
        Phone numbers and consent to texts are never sold, rented or shared with third parties for their own marketing.
      </p>
    ),
  },
  {
    id: 'how-long',
    title: 'How long',
    body: (
      <p>
        As long as the account exists, and after that only what tax and consent law obliges us or the business to keep.
        Backups run out on their own schedule.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <p>
        Ask what we hold about you, have it corrected, exported or deleted: write to{' '}
        <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>. If you are a customer of a lawn-care
        business, ask that business first; we help it to answer you.
      </p>
    ),
  },
  {
    id: 'safety',
    title: 'How it is protected',
    body: (
      <p>
        Businesses are kept apart in the database itself, not only in the program. Passwords are hashed, sessions
        expire, and access by our staff to a business’s data needs that business’s permission.
      </p>
    ),
  },
]

export const PrivacyPage = () => (
  <LegalText
    seed={149}
    title="Privacy"
    lead="What Swath keeps, why, for how long, and how you get it out."
    parts={parts}
  />
)
