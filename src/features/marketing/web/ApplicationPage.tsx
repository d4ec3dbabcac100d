import { paths } from '../../../shared/paths.ts'
import { setupSprint } from '../../billing/rules.ts'
import { type Question, questions } from '../../prospects/application/rules.ts'
import { Beside } from './Beside.tsx'
import { ContactFields, FormSay } from './ContactFields.tsx'
import { PageHead } from './PageHead.tsx'
import { Places } from './Places.tsx'
import { ReachUs } from './ReachUs.tsx'
import { SprintTerms } from './SprintTerms.tsx'

const Field = ({ field }: { field: Question['fields'][number] }) =>
  field.kind === 'choice' ? (
    <fieldset className="fx-choices">
      <legend>{field.label}</legend>
      {field.options.map((option) => (
        <label key={option}>
          <input type="radio" name={field.name} value={option} />
          <span>{option}</span>
        </label>
      ))}
    </fieldset>
  ) : (
    <div className="fx-field">
      <label htmlFor={`q-${field.name}`}>
        {field.label}
        {field.required ? null : <small> (optional)</small>}
      </label>
      {field.kind === 'long' ? (
        <textarea id={`q-${field.name}`} name={field.name} rows={3} maxLength={field.maxLength} />
      ) : (
        <input id={`q-${field.name}`} name={field.name} maxLength={field.maxLength} />
      )}
    </div>
  )

const Step = ({ question }: { question: Question }) => (
  <section data-step={question.id} aria-labelledby={`step-${question.id}`}>
    <h2 id={`step-${question.id}`} tabIndex={-1} data-focus="">
      {question.title}
    </h2>
    <p className="fx-hint">{question.hint}</p>
    {question.fields.map((field) => (
      <Field key={field.name} field={field} />
    ))}
  </section>
)

const asked = ['Your business', 'Your customers', 'Your team', 'Your day now', 'What costs you time', 'When to start']

const next = [
  ['We read it', 'Every application, within two working days. The answer comes by e-mail.'],
  [
    `${setupSprint.days} days, two calls`,
    `Call 1 begins them. Each takes ${setupSprint.callMinutes} minutes; your customers, crews, first route and first invoice are in by call 2.`,
  ],
  [
    'You pay nothing for the setup',
    'When you keep every step. Your list stays yours and leaves as one file whenever you want.',
  ],
] as const

export const ApplicationPage = () => (
  <>
    <PageHead
      seed={181}
      art={
        <ol className="art-six" aria-label="The six questions">
          {asked.map((about) => (
            <li key={about}>{about}</li>
          ))}
        </ol>
      }
      share={0.15}
      title="Six questions, then we talk."
      lead="About three minutes. Every answer is kept as you give it, so you can stop and come back on this device."
    >
      <Places />
    </PageHead>
    <div className="wrap asks asks-two">
      <section aria-label="Application">
        <noscript>
          <div className="fx">
            <p>
              The application needs JavaScript to keep your answers. Answer the same questions by mail or on the phone.
            </p>
            <ol className="fx-plain">
              {questions.map(({ id, title }) => (
                <li key={id}>{title}</li>
              ))}
            </ol>
            <ReachUs subject="Application for the Setup Sprint" mailLabel="Answer by mail" />
          </div>
        </noscript>
        <p className="fx-wait" data-application-wait="" role="status">
          Opening your application…
        </p>
        <form className="fx" data-application="" hidden>
          <div className="fx-progress">
            <p data-count="" aria-live="polite">
              Six questions
            </p>
            <progress max={6} value={0} aria-label="Progress of the application" />
          </div>
          <FormSay />
          <section data-step="contact" aria-labelledby="step-contact">
            <h2 id="step-contact" tabIndex={-1} data-focus="">
              Who is asking?
            </h2>
            <p className="fx-hint">So that we can answer.</p>
            <ContactFields prefix="application" />
          </section>
          {questions.map((question) => (
            <Step key={question.id} question={question} />
          ))}
          <div className="fx-actions">
            <button type="button" className="btn big" data-back="">
              Back
            </button>
            <button type="submit" className="btn primary big">
              Continue
            </button>
          </div>
        </form>
        <div className="fx" data-status="" hidden />
      </section>
      <Beside title="What happens next" items={next} inOrder>
        <p>
          Rather talk first? <a href={paths.bookCall}>Book a call</a>; it commits you to nothing.
        </p>
      </Beside>
    </div>
    <SprintTerms action={false} />
  </>
)
