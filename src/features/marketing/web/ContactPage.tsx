import { brand } from '../../../shared/brand.ts'
import { paths } from '../../../shared/paths.ts'
import { contactTopics } from '../../prospects/rules.ts'
import { telHref } from '../rules.ts'
import { Beside } from './Beside.tsx'
import { FormSay, HiddenField } from './ContactFields.tsx'
import { PageHead } from './PageHead.tsx'
import { Pairs } from './Pairs.tsx'
import { PlainProblems } from './PlainProblems.tsx'

const topics = [
  [
    'Something does not work',
    'What you pressed, what you expected, what you saw. If a message showed a number, send that number along.',
  ],
  ['A question about your bill', 'The name of your business and the date of the charge. Never a card number.'],
  [
    'You got a text or a mail from a lawn company',
    'Reply STOP to the text, or use the link in the mail, and it ends. If it does not, tell us the number or address it came from.',
  ],
  ['Your data', 'To export or delete it, write from the address you sign in with.'],
] as const

const next = [
  ['A person reads it', 'No ticket number and no robot in between.'],
  ['You get an answer by mail', 'Usually within one working day, to the address you give.'],
  ['It stays between us', 'What you write is used to answer you, and for nothing else.'],
] as const

/** Works as a plain form, and without leaving the page when there is a script. */
const ContactForm = () => (
  <section aria-label="Write to us">
    <form className="fx" method="post" action="/api/contact" data-contact="">
      <h2>Write to us here</h2>
      <FormSay />
      <PlainProblems />
      <div className="fx-field">
        <label htmlFor="contact-name">Your name</label>
        <input id="contact-name" name="name" autoComplete="name" maxLength={120} required />
      </div>
      <div className="fx-field">
        <label htmlFor="contact-email">Email</label>
        <input id="contact-email" name="email" type="email" autoComplete="email" maxLength={254} required />
      </div>
      <div className="fx-field">
        <label htmlFor="contact-topic">What is it about?</label>
        <select id="contact-topic" name="topic">
          {contactTopics.map((topic) => (
            <option key={topic}>{topic}</option>
          ))}
        </select>
      </div>
      <div className="fx-field">
        <label htmlFor="contact-message">Message</label>
        <textarea id="contact-message" name="message" rows={6} maxLength={5000} required />
      </div>
      <HiddenField />
      <button type="submit" className="btn primary big">
        Send message
      </button>
    </form>
    <div className="fx only-target" id="sent">
      <h2 tabIndex={-1}>Your message is here.</h2>
      <p>A person reads it and answers to the address you gave, usually within one working day.</p>
    </div>
  </section>
)

export const ContactPage = () => (
  <>
    <PageHead
      seed={97}
      share={0.5}
      title="Talk to a person."
      lead="Write when it can wait for an answer, call when a crew is standing still."
      art={
        <div className="reach">
          <a href={`mailto:${brand.supportEmail}`}>
            <span>Mail</span>
            <b>{brand.supportEmail}</b>
          </a>
          <a href={telHref(brand.supportPhone)}>
            <span>Phone</span>
            <b>{brand.supportPhone}</b>
          </a>
        </div>
      }
    />
    <div className="wrap asks asks-two">
      <ContactForm />
      <Beside title="What happens next" items={next} inOrder />
    </div>
    <Pairs id="topics-title" title="What to send along" items={topics}>
      <p className="pairs-end">
        Thinking about moving to Swath? The <a href={paths.faq}>questions owners ask</a> may already have your answer,
        and a <a href={paths.bookCall}>call</a> has the rest.
      </p>
    </Pairs>
  </>
)
