import { paths } from '../../../shared/paths.ts'
import { RouteArt } from './HeroArt.tsx'
import { PageHead } from './PageHead.tsx'
import { Picture } from './Picture.tsx'
import { PlanSteps, planSteps } from './PlanSteps.tsx'
import type { PictureName } from './pictures.ts'
import { Savings } from './Savings.tsx'
import { applyLabel } from './site.ts'
import { TourLink } from './TourLink.tsx'

type Part = {
  id: string
  title: string
  lead: string
  points: readonly (readonly [what: string, how: string])[]
  picture?: readonly [name: PictureName, caption: string]
}

const parts: readonly Part[] = [
  {
    id: 'routing',
    title: 'Routes that end before the light does',
    lead: 'Give each crew a depot, a shift and its people. Swath assigns the stops and puts them in the order that drives least.',
    points: [
      ['See what it saves', 'Drive minutes, miles and labor dollars, before and after, for every crew.'],
      [
        'You have the last word',
        'Pin the stop that has to be first. Drag another one over. Undo. The times add up again while you look.',
      ],
      ['Published means told', 'When you publish the day, the crews have it on their phones.'],
    ],
    picture: ['route', 'Next Tuesday, planned: every stop has its crew and its place in the order.'],
  },
  {
    id: 'scheduling',
    title: 'A season booked in one sitting',
    lead: 'Filter the customers, pick the service, choose the rhythm. Every lawn gets its visits, weeks ahead, on the weekday that suits the route.',
    points: [
      [
        'Prices follow the lawn',
        'A service has a price rule by lawn size, so a new customer is priced the moment the lawn is measured.',
      ],
      [
        'Rain is an action, not a morning',
        'Move the day in one go, see every lawn it touches first, take it back if the sky clears.',
      ],
      ['Nothing drops off the list', 'A skipped visit carries its reason and waits to be rebooked.'],
    ],
    picture: ['season', 'One service for every weekly lawn, each at its own price. The button says what it will make.'],
  },
  {
    id: 'invoicing',
    title: 'Invoices out before the trailer is parked',
    lead: 'Finished visits gather in one place. One button turns them into invoices, and shows you the odd ones before anything is sent.',
    points: [
      ['Preview, then send', 'Missing e-mail, zero price, unusual time: the exceptions come first.'],
      ['Cents that add up', 'Line by line, tax by tax, the same on screen, on paper and in the mail.'],
      ['Money you are owed, in words', '“$1,150.00 is over 30 days”, with the list behind it.'],
    ],
    picture: ['invoices', 'Before anything is sent: who gets what, who has no e-mail, and what was left out.'],
  },
  {
    id: 'payments',
    title: 'Paid by card, from the mail',
    lead: 'Every invoice mail carries its PDF and a link. The customer opens it and pays on the card provider’s own checkout.',
    points: [
      ['Paid once', 'Press the button twice, reload, come back tomorrow: an invoice is paid one time.'],
      ['No card numbers here', 'They go to the card provider and never touch Swath.'],
    ],
  },
  {
    id: 'crew',
    title: 'A crew app that works in a dead spot',
    lead: 'The next stop first, with gate, dog and mowing height above the button. Clock in, start, photo, finish, skip with a reason. One thumb, gloves on.',
    points: [
      [
        'No signal, no problem',
        'Each tap is kept on the phone first and sent when there is signal. The header says what is still waiting.',
      ],
      ['Made for the sun', 'Big type, strong contrast, large buttons.'],
      [
        'No prices in the field',
        'Employees see the work, not what you charge for it. If you are on a crew yourself, your own sign-in works the route too.',
      ],
    ],
    picture: ['crew', 'What the crew sees at a stop.'],
  },
  {
    id: 'customers',
    title: 'Your list, brought over in an afternoon',
    lead: 'Export what you have as a spreadsheet. Columns in any order: you say once which is which.',
    points: [
      [
        'A dry run first',
        'Nothing is written until you confirm. Rows with a problem are listed with their line and the reason, the good ones are kept.',
      ],
      ['Undo', 'An import you regret is undone in one step.'],
      ['On the map', 'Customers and properties show up in the list and on the map, ready to be routed.'],
    ],
    picture: ['list', 'The dry run: who comes in, and the rows to look at, each with its reason.'],
  },
  {
    id: 'office',
    title: 'The rest of the office, in the same place',
    lead: 'Customers, jobs, messages by text and e-mail, employees, crews and their hours share one list and one schedule. The dashboard says what needs you, and takes you there.',
    points: [
      [
        'Hours that add up',
        'The crew clocks in on the phone; the office reads the week, corrects it with a reason, approves it.',
      ],
      [
        'Roles that fit',
        'Owners and admins run the business, with permissions one by one. Employees get their own day: dashboard, time clock, schedule, profile.',
      ],
      ['Your data stays yours', 'One business never sees another’s, and you can export what you put in.'],
    ],
    picture: ['dashboard', 'Ten to ten on a Wednesday: four crews out, and already seen which one will run late.'],
  },
]

const savings = { id: 'savings', title: 'What your season would save' }

export const FeaturesPage = () => (
  <>
    <PageHead
      seed={31}
      art={<RouteArt />}
      title="One day, from the first mow to the last cent."
      lead="Swath keeps three things in one place that usually live in three: where the crew drives, what the customer booked, and who has paid."
    >
      <TourLink />
    </PageHead>
    <div className="wrap parts">
      <nav className="parts-toc" aria-label="On this page">
        <ul>
          {[...parts, savings, planSteps].map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div>
        {parts.map(({ id, title, lead, points, picture }) => (
          <section key={id} id={id} className="part" aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            <p className="part-lead">{lead}</p>
            <div className={picture?.[0] === 'crew' ? 'part-body' : 'part-body plain'}>
              <dl>
                {points.map(([what, how]) => (
                  <div key={what}>
                    <dt>{what}</dt>
                    <dd>{how}</dd>
                  </div>
                ))}
              </dl>
              {picture && <Picture name={picture[0]} caption={picture[1]} />}
            </div>
          </section>
        ))}
        <Savings />
        <PlanSteps />
        <p className="next">
          <a className="btn primary big" href={paths.application}>
            {applyLabel}
          </a>
          <a className="btn big" href={paths.pricing}>
            See the prices
          </a>
        </p>
      </div>
    </div>
  </>
)
