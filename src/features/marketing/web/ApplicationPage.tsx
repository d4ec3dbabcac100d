import { PageHead } from './PageHead.tsx'
import { ReachUs } from './ReachUs.tsx'
import { SprintTerms } from './SprintTerms.tsx'

const questions = [
  'What is your business called, and what is your role in it?',
  'How many customers do you have?',
  'How big is your team?',
  'How do you run routes and schedule today?',
  'What costs you the most time?',
  'When do you want to be live, and can you make both calls?',
] as const

const body = questions.map((question, index) => `${index + 1}. ${question}\n\n`).join('\n')

export const ApplicationPage = () => (
  <>
    <PageHead
      seed={181}
      share={0.15}
      title="Six questions, then we talk."
      lead="The form for your answers is not open yet. Until it is, the same six questions go by mail: the button opens one with all of them in it."
    >
      <ReachUs subject="Application for the Setup Sprint" body={body} mailLabel="Answer by mail" />
    </PageHead>
    <section className="wrap asks" aria-labelledby="asks-title">
      <h2 id="asks-title" className="h-big">
        What we ask
      </h2>
      <ol>
        {questions.map((question) => (
          <li key={question}>{question}</li>
        ))}
      </ol>
    </section>
    <div className="sunk">
      <div className="wrap">
        <SprintTerms action={false} />
      </div>
    </div>
  </>
)
