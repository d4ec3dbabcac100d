import { paths } from '../../../shared/paths.ts'
import { LawnArt } from './HeroArt.tsx'
import { PageHead } from './PageHead.tsx'
import { Pairs } from './Pairs.tsx'
import { applyLabel } from './site.ts'

const marks = [
  ['done', 'A mowed lawn', 'As wide as the minutes it took. The two greens are the mower going up and coming back.'],
  ['drive', 'The drive', 'From one lawn to the next. Nobody pays you for these.'],
  ['now', 'Being mowed', 'Where the crew is right now.'],
  ['todo', 'Still to do', 'As wide as it is planned. From here the end of the day is reckoned.'],
  ['skipped', 'Skipped', 'Gate locked, dog out, rain. It waits to be rebooked.'],
] as const

const ReadingFigure = () => (
  <figure className="reading">
    <figcaption>How to read a day</figcaption>
    <ul>
      {marks.map(([mark, name, text]) => (
        <li key={mark}>
          <i className={mark} />
          <p>
            <b>{name}.</b> {text}
          </p>
        </li>
      ))}
    </ul>
  </figure>
)

const beliefs = [
  [
    'The number that matters, in your words',
    '“Done by 4:35 PM at this pace” helps at two o’clock. A chart of last quarter does not.',
  ],
  ['The phone in the field is the hardest part', 'So it was drawn first: sun, gloves, no signal, one thumb.'],
  [
    'A mistake can be undone',
    'Imports, moved stops, sent-too-early plans: what can be undone has an undo, and what cannot says so before.',
  ],
  ['Plain about money', 'Prices on the page, limits on the page, the $299 fee on the page.'],
  ['Your list is yours', 'You bring it in as a file and you can take it out as one.'],
  ['Lawns only', 'Stripes, gates, dogs, rain days. Not a plumber’s software with the labels changed.'],
] as const

export const AboutPage = () => (
  <>
    <PageHead
      seed={113}
      art={<LawnArt />}
      share={0.7}
      title="A swath is the strip a mower cuts in one pass."
      lead="It is also how we draw a day: one stripe a lawn, as wide as its minutes, with the drive as the gaps in between. Once you see the gaps you want them gone."
    />
    <section className="wrap story">
      <div>
        <p>
          A lawn-care business runs on three lists. Who is due. Who drives where. Who owes what. They tend to live on a
          calendar, in a group text and in a shoebox, and somebody spends the evening carrying things from one to the
          other.
        </p>
        <p>
          Swath keeps them as one. A visit on the schedule is a stop on a route; a finished stop is a line on an
          invoice; a paid invoice closes the loop. Nobody types it twice.
        </p>
        <p>
          We make it for owners who mow, for the office that answers the phone, and for the crew that just wants to know
          what is next.
        </p>
      </div>
      <ReadingFigure />
    </section>
    <Pairs id="beliefs-title" title="What we hold to" items={beliefs}>
      <p className="next">
        <a className="btn primary big" href={paths.application}>
          {applyLabel}
        </a>
        <a className="btn big" href={paths.features}>
          See what it does
        </a>
      </p>
    </Pairs>
  </>
)
