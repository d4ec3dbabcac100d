import { setupSprint } from '../../billing/rules.ts'
import { Beside } from './Beside.tsx'
import { ContactFields, FormSay } from './ContactFields.tsx'
import { WeekArt } from './HeroArt.tsx'
import { PageHead } from './PageHead.tsx'
import { ReachUs } from './ReachUs.tsx'

const agenda = [
  ['Your week', 'How many lawns, how many crews, where the hours go.'],
  ['Your list', 'What your customer list looks like today and what it takes to bring it over.'],
  ['Whether it fits', 'If Swath is not for you, we say so and you keep the rest of the time.'],
] as const

const body = 'Business name:\n\nMy number:\n\nThree times that suit me (with my time zone):\n1.\n2.\n3.\n'

const Lengths = () => (
  <fieldset className="fx-choices fx-row" data-lengths="">
    <legend>How long</legend>
    <label>
      <input type="radio" name="minutes" value="20" defaultChecked />
      <span>20 minutes, a call</span>
    </label>
    <label>
      <input type="radio" name="minutes" value="30" />
      <span>30 minutes, a demo</span>
    </label>
  </fieldset>
)

const Picker = () => (
  <form className="fx fx-call" data-call="" hidden>
    <Lengths />
    <FormSay />
    <button type="button" className="btn" data-retry="" hidden>
      Try again
    </button>
    <div className="slots">
      <fieldset>
        <legend>Day</legend>
        <div className="slots-days" data-days="" />
      </fieldset>
      <fieldset>
        <legend>Time</legend>
        <p className="fx-hint" data-zone="" />
        <div className="slots-times" data-times="" />
      </fieldset>
    </div>
    <div className="slots-confirm" data-confirm="" hidden>
      <p className="slots-chosen" data-chosen="" aria-live="polite" />
      <div data-contact-fields="">
        <ContactFields prefix="call" />
      </div>
      <div className="fx-field" data-note="">
        <label htmlFor="call-note">
          What should we know before the call?<small> (optional)</small>
        </label>
        <textarea id="call-note" name="note" rows={3} maxLength={1000} />
      </div>
      <button type="submit" className="btn primary big">
        Book this call
      </button>
    </div>
  </form>
)

export const BookCallPage = () => (
  <>
    <PageHead
      seed={199}
      art={<WeekArt />}
      share={0.25}
      title="Pick a time to talk."
      lead={`${setupSprint.callMinutes} minutes for your questions, or 30 to see Swath on a day like yours. The calendar file comes by e-mail, with a link to move or cancel.`}
    />
    <div className="wrap asks asks-two">
      <section aria-label="Free times">
        <noscript>
          <div className="fx">
            <p>
              Choosing a time here needs JavaScript. Propose three times by mail and we confirm one, or call right away.
            </p>
            <ReachUs subject="A call about Swath" body={body} mailLabel="Propose three times" />
          </div>
        </noscript>
        <p className="fx-wait" data-call-wait="" role="status">
          Looking for free times…
        </p>
        <Picker />
        <div className="fx" data-call-done="" hidden />
      </section>
      <Beside title="What we talk about" items={agenda}>
        <p>Have your customer list at hand, in whatever shape it is.</p>
      </Beside>
    </div>
  </>
)
