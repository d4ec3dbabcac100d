import { paths } from '../../../shared/paths.ts'
import { PageHead } from './PageHead.tsx'

type Lesson = { title: string; minutes: number; steps: readonly string[]; done: string }
type Track = { id: string; title: string; who: string; lessons: readonly Lesson[] }

const tracks: readonly Track[] = [
  {
    id: 'owner',
    title: 'For the owner and the office',
    who: 'Do these in order, with your own data. Each leaves something you keep.',
    lessons: [
      {
        title: 'Bring your customers in',
        minutes: 30,
        steps: [
          'Export your list as CSV: name, street, city, state, ZIP, and whatever you have of e-mail, phone and lawn size.',
          'Match the columns once. Read the dry run. Fix the rows it names, or leave them for later.',
          'Confirm, then look at the map: a customer in the wrong town is easiest to see there.',
        ],
        done: 'Your customers stand in the list and on the map.',
      },
      {
        title: 'Set services and book the season',
        minutes: 20,
        steps: [
          'Make a service, say “Weekly mowing”, with its minutes and its price by lawn size.',
          'Filter the customers who get it, and book them all in one action.',
          'Open a week in the calendar and check three lawns you know by heart.',
        ],
        done: 'Visits stand on the calendar for the coming weeks.',
      },
      {
        title: 'Plan a day',
        minutes: 15,
        steps: [
          'Give each crew its yard, shift, members and wage.',
          'Open the Route Map for tomorrow and press Optimize. Compare drive before and after.',
          'Pin what must stay, drag what you would do otherwise, publish.',
        ],
        done: 'Each crew has tomorrow on its phone.',
      },
      {
        title: 'Invoice the work',
        minutes: 10,
        steps: [
          'Press “Invoice finished visits” and read the exceptions first.',
          'Send. Open one of the mails yourself and follow its link.',
          'Look at the dashboard the next morning: what is paid, what is open, what is late.',
        ],
        done: 'The first invoices are out, and one is paid.',
      },
    ],
  },
  {
    id: 'crew',
    title: 'For the crew',
    who: 'Ten minutes at the truck, phone in hand. Read it out loud once.',
    lessons: [
      {
        title: 'A day on the phone',
        minutes: 10,
        steps: [
          'Clock in. The next stop is at the top: read the red line before you open the gate.',
          'Navigate, Start, mow, take the photo, Finish. If you cannot work, Skip and say why.',
          'No signal? Keep going. The header says how many taps are waiting, and they go out by themselves.',
        ],
        done: 'The strip at the top of the screen is dark to the end.',
      },
    ],
  },
]

export const TrainingPage = () => (
  <>
    <PageHead
      seed={79}
      share={0.3}
      title="Learn it on your own lawns."
      lead="No sample company, no video course. Four short sittings for the office and ten minutes for the crew, each one with the data you will use on Monday."
    />
    <div className="wrap tracks">
      {tracks.map(({ id, title, who, lessons }) => (
        <section key={id} aria-labelledby={`${id}-track`}>
          <div className="track-say">
            <h2 id={`${id}-track`}>{title}</h2>
            <p>{who}</p>
          </div>
          <ol>
            {lessons.map((lesson) => (
              <li key={lesson.title}>
                <h3>{lesson.title}</h3>
                <p className="lesson-min">about {lesson.minutes} minutes</p>
                <ol>
                  {lesson.steps.map((step) => (
                    <li key={step}>{step}</li>
                  ))}
                </ol>
                <p className="lesson-done">{lesson.done}</p>
              </li>
            ))}
          </ol>
        </section>
      ))}
      <section className="together" aria-labelledby="together-title">
        <h2 id="together-title">Rather do it together?</h2>
        <p>
          The Setup Sprint is these lessons with us on the phone: two 20-minute calls in 14 days, homework between them.{' '}
          <a href={paths.application}>How to apply</a>
        </p>
      </section>
    </div>
  </>
)
