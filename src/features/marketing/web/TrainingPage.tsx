import { paths } from '../../../shared/paths.ts'
import { LessonArt } from './HeroArt.tsx'
import { PageHead } from './PageHead.tsx'
import { Picture } from './Picture.tsx'
import type { PictureName } from './pictures.ts'

type Lesson = {
  title: string
  minutes: number
  steps: readonly string[]
  done: string
  picture?: readonly [name: PictureName, caption: string]
}
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
          'Export your list as CSV: name, street, city, state, ZIP, and whatever you have of e-mail, phone and lawn size. Column names do not matter.',
          'Customers, Import a list. Drop the file in and match the columns once.',
          'Read “Need a look” before you press Import: a missing street, an address that is none, the same house twice. Those rows stay out; you can download them, fix them and bring them later.',
          'Open the Customer Map. A customer in the wrong town is easiest to see there. If the whole file was wrong, open the import again and undo it.',
        ],
        done: 'Your customers stand in the list and on the map.',
        picture: ['list', 'Step 3 of the import: what is ready, what needs a look, what is there twice.'],
      },
      {
        title: 'Set services and book the season',
        minutes: 20,
        steps: [
          'Jobs & Invoicing, Services: give “Mow, edge, trim and blow” its minutes and its price by lawn size. Try it on three lawns you know by heart; if the price is off there, it is off everywhere.',
          'Create Job, Many customers: filter who gets it, choose how often and on which day.',
          'Look at “A round” and “Left out” before you press. Left out says why, lawn by lawn.',
          'Go to Route Map and step through next week: the number behind each day is its stops.',
        ],
        done: 'Every lawn has its visits for the coming weeks.',
        picture: [
          'season',
          'The filter on the left decides who; the numbers on the right say what that costs and earns.',
        ],
      },
      {
        title: 'Plan a day',
        minutes: 15,
        steps: [
          'Employees, Crews: give each crew its depot, shift, people and equipment.',
          'Route Map, tomorrow, Optimize. Compare shows what changed for each crew, and which customers would get another time.',
          'Drag what you would do otherwise. A warning names what breaks: a time window, the end of the shift, a gate that needs the small mower.',
          'Publish. From then on the crews have it on their phones, and a later change is sent as one.',
        ],
        done: 'Each crew has tomorrow on its phone.',
        picture: ['route', 'After Optimize: every crew’s stops in their order on the map.'],
      },
      {
        title: 'Invoice the work',
        minutes: 10,
        steps: [
          'Invoices, “Invoice finished visits”. The yellow line first: visits left out, and why.',
          'Look down the list for prices that are not what you expect and for “No e-mail”.',
          'Create and send. Open one of the mails yourself and follow its link: that is what your customer sees.',
        ],
        done: 'The first invoices are out.',
        picture: ['invoices', 'Everything not invoiced yet, one invoice for each customer.'],
      },
      {
        title: 'Read the morning',
        minutes: 5,
        steps: [
          'A strip is a crew’s day. Dark is mowed, hatched blue is being mowed, pale is to do, the gaps are the drive. The flag is now: dark left of it and pale right of it is a crew on time.',
          '“Back at” reckons from the pace of today, not from the plan. When it passes the end of the shift, move a stop while there is still time.',
          'Needs you: answer the text, rebook the skipped lawn, remind the late payer. It is empty when you are done.',
        ],
        done: 'You know before lunch how the day ends.',
        picture: ['dashboard', 'The day at a glance: what it earned, what it drove, what is owed.'],
      },
      {
        title: 'See what each lawn earns',
        minutes: 10,
        steps: [
          'After two weeks: Routes, Learned Minutes. Each lawn stands there that takes longer or less than planned, by its last five visits. Use the new minutes, and the next days are planned with them.',
          'Job Costing: what is left of each lawn, service, crew and route after wages and purchases. “Other expenses” is what no job was charged with.',
          'Price Letters, beside it: lawns that earn less than your target for a labor hour, with the price that would do. Change it where you know better.',
          'Read each letter before you press. The price holds from the day that the letter names; Undo puts it back and recalls what has not left.',
        ],
        done: 'You know which lawns pay for themselves, and what you did about the others.',
      },
    ],
  },
  {
    id: 'lead',
    title: 'For the crew lead',
    who: 'Ten minutes at the truck, phone in hand. The crew can listen.',
    lessons: [
      {
        title: 'A day on the phone',
        minutes: 10,
        steps: [
          'Clock in. The next stop is on top: read the red line before you open the gate. A gate code shows when you tap it and is not kept on the phone.',
          'Navigate, Start, mow, tick the checklist, take the photo, Finish. The minutes beside “On site” are what the office planned for your crew.',
          'Later stops stand under “After that”. Doing one earlier is fine: open it and press “Do this one next”.',
          'Pressed the wrong thing? Undo stands at the bottom for a few seconds.',
        ],
        done: 'The strip at the top of the screen is dark to the end.',
        picture: ['crew', 'The stop being worked.'],
      },
      {
        title: 'When it does not go as planned',
        minutes: 5,
        steps: [
          'Locked gate, dog in the yard, too wet: press Skip and choose the reason. The office sees it at once and can rebook the lawn while you drive on.',
          'No signal: keep working. The top right says “3 on phone, no signal” and later “All sent”. Do not do anything twice.',
          'Something the office should know, a broken sprinkler or a customer who wants more: Note. The office reads it beside the stop.',
          'Forgot to clock out? The next morning the app asks when you stopped. Say it as it was.',
        ],
        done: 'The office hears it from the phone, not at the end of the day.',
      },
    ],
  },
]

export const TrainingPage = () => (
  <>
    <PageHead
      seed={79}
      art={
        <LessonArt
          tracks={tracks.map(({ title, lessons }) => ({ title, minutes: lessons.map(({ minutes }) => minutes) }))}
        />
      }
      share={0.3}
      title="Learn it on your own lawns."
      lead="No sample company, no video course. Six short sittings for the office and a quarter of an hour for the crew, each one with the data you will use on Monday."
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
                {lesson.picture && <Picture name={lesson.picture[0]} caption={lesson.picture[1]} />}
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
