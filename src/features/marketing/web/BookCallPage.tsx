import { setupSprint } from '../../billing/rules.ts'
import { PageHead } from './PageHead.tsx'
import { ReachUs } from './ReachUs.tsx'

const body = 'Business name:\n\nMy number:\n\nThree times that suit me (with my time zone):\n1.\n2.\n3.\n'

const agenda = [
  ['Your week', 'How many lawns, how many crews, where the hours go.'],
  ['Your list', 'What your customer list looks like today and what it takes to bring it over.'],
  ['Whether it fits', 'If Swath is not for you, we say so and you keep the rest of the time.'],
] as const

export const BookCallPage = () => (
  <>
    <PageHead
      seed={199}
      share={0.25}
      title={`${setupSprint.callMinutes} minutes, one call.`}
      lead="This page will show our free times so that you can pick one. Until then, mail us three times that suit you and we confirm one of them, or call right away."
    >
      <ReachUs subject="A call about Swath" body={body} mailLabel="Propose three times" />
    </PageHead>
    <section className="wrap pairs three" aria-labelledby="agenda-title">
      <h2 id="agenda-title" className="h-big">
        What we talk about
      </h2>
      <dl>
        {agenda.map(([topic, text]) => (
          <div key={topic}>
            <dt>{topic}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="pairs-end">Have your customer list at hand, in whatever shape it is.</p>
    </section>
  </>
)
