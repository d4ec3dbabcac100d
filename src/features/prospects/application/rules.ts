/** The application for the Setup Sprint: six questions, one a screen. The page, the server and the product owner's desk read this one table. */

type Field = {
  name: string
  label: string
  required: boolean
  maxLength: number
} & ({ kind: 'text' | 'long' } | { kind: 'choice'; options: readonly string[] })

export type Question = { id: string; title: string; hint: string; fields: readonly Field[] }

const choice = (name: string, label: string, ...options: string[]): Field => ({
  kind: 'choice',
  name,
  label,
  required: true,
  maxLength: 60,
  options,
})
const text = (name: string, label: string): Field => ({ kind: 'text', name, label, required: true, maxLength: 120 })
const more = (name: string, label: string): Field => ({ kind: 'long', name, label, required: false, maxLength: 1000 })

export const questions: readonly Question[] = [
  {
    id: 'business',
    title: 'What is your business called, and what do you do there?',
    hint: 'The name on your trucks or your invoices.',
    fields: [text('businessName', 'Business name'), text('role', 'Your role')],
  },
  {
    id: 'customers',
    title: 'How many customers do you have?',
    hint: 'A rough count is fine. Count everybody you mow for in a season.',
    fields: [choice('customerCount', 'Customers', '0-10', '11-25', '26-50', '51-100', '100+')],
  },
  {
    id: 'team',
    title: 'How big is your team?',
    hint: 'Everybody who works in the field or the office, you included.',
    fields: [choice('teamSize', 'Team size', 'Just me', '2-5 employees', '6-20', '20+')],
  },
  {
    id: 'today',
    title: 'How do you run routes and the schedule today?',
    hint: 'There is no wrong answer. It tells us what we have to bring over.',
    fields: [
      choice(
        'routesToday',
        'Today',
        'In my head',
        'Paper or a whiteboard',
        'A spreadsheet or a calendar',
        'Another program',
      ),
      more('routesTodayMore', 'Anything we should know about it'),
    ],
  },
  {
    id: 'time',
    title: 'What costs you the most time?',
    hint: 'We start the Sprint there.',
    fields: [
      choice(
        'mostTime',
        'Most time goes into',
        'Driving between lawns',
        'Scheduling and changes',
        'Invoices and getting paid',
        'Calls and texts with customers',
        'Keeping the crew on track',
      ),
      more('mostTimeMore', 'What a bad week looks like'),
    ],
  },
  {
    id: 'live',
    title: 'When do you want to be live, and can you make both calls?',
    hint: 'The Setup Sprint is 14 days with two calls of 20 minutes.',
    fields: [
      choice('liveWhen', 'Live', 'Within two weeks', 'This month', 'Next month', 'Later this season'),
      choice('bothCalls', 'Both calls', 'Yes, I can make both calls', 'I am not sure yet'),
    ],
  },
]

export type Answers = Readonly<Record<string, string>>

const fields = questions.flatMap((question) => question.fields)

/**
 * What a browser sent, as answers: only the fields of the questions, trimmed, choices only from their options, each within its length. What does
 * not fit is left out, so that a newer page never loses the rest.
 */
export const tidyAnswers = (given: Readonly<Record<string, unknown>>): Answers =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = given[field.name]
      if (typeof value !== 'string') return []
      const tidy = value.trim().slice(0, field.maxLength)
      if (field.kind === 'choice' && tidy !== '' && !field.options.includes(tidy)) return []
      return [[field.name, tidy]]
    }),
  )

/** The required answers that are still missing, as errors of their fields. */
export const missingAnswers = (answers: Answers): { path: string; message: string }[] =>
  fields
    .filter((field) => field.required && !answers[field.name])
    .map((field) => ({
      path: field.name,
      message: field.kind === 'choice' ? 'Please choose one' : 'Please fill this in',
    }))

/** The number (from 0) of the first question that is not answered yet; as many as there are when all are. */
export const firstOpenQuestion = (answers: Answers): number => {
  const open = questions.findIndex((question) =>
    question.fields.some((field) => field.required && !answers[field.name]),
  )
  return open < 0 ? questions.length : open
}

/** The answers as they are read: each question with what was said. */
export const readableAnswers = (answers: Answers): { question: string; answer: string }[] =>
  questions.map((question) => ({
    question: question.title,
    answer: question.fields
      .map((field) => answers[field.name] ?? '')
      .filter(Boolean)
      .join('\n'),
  }))
