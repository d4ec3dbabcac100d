import { formProblems } from '../../prospects/rules.ts'

/** What was wrong with a form that was sent without a script: the anchor that the server leads to shows the one that holds. */
export const PlainProblems = () =>
  Object.entries(formProblems).map(([name, words]) => (
    <p key={name} className="fx-say only-target" id={`problem-${name}`} role="alert">
      {words}. Your browser’s Back button has what you typed.
    </p>
  ))
