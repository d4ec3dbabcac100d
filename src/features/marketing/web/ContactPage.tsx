import { brand } from '../../../shared/brand.ts'
import { paths } from '../../../shared/paths.ts'
import { telHref } from '../rules.ts'
import { PageHead } from './PageHead.tsx'

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

export const ContactPage = () => (
  <>
    <PageHead
      seed={97}
      share={0.5}
      title="Talk to a person."
      lead="Write when it can wait for an answer, call when a crew is standing still."
    >
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
    </PageHead>
    <section className="wrap pairs" aria-labelledby="topics-title">
      <h2 id="topics-title" className="h-big">
        What to send along
      </h2>
      <dl>
        {topics.map(([topic, send]) => (
          <div key={topic}>
            <dt>{topic}</dt>
            <dd>{send}</dd>
          </div>
        ))}
      </dl>
      <p className="pairs-end">
        Thinking about moving to Swath? The <a href={paths.faq}>questions owners ask</a> may already have your answer,
        and a <a href={paths.bookCall}>call</a> has the rest.
      </p>
    </section>
  </>
)
