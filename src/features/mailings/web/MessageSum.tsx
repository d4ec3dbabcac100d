import { counted } from '../../../shared/counted.ts'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { asSms, fillText } from '../../businesses/notices/rules.ts'
import { costlyLabel } from '../../messages/rules.ts'
import type { MailingPreview } from '../contract.ts'
import { countWords, wordsFor } from '../rules.ts'

/** Who is not written to, by name and reason, before anything leaves. */
export const LeftOut = ({ seen }: { seen: MailingPreview }) =>
  seen.unreachedCount === 0 ? null : (
    <details className="mailing-out">
      <summary>
        {seen.unreachedCount === 1 ? '1 customer gets nothing' : `${seen.unreachedCount} customers get nothing`}
      </summary>
      <ul>
        {seen.unreached.map(({ id, name, reason }) => (
          <li key={id}>
            {name} <span className="hint">{reason}</span>
          </li>
        ))}
        {seen.unreachedCount > seen.unreached.length ? (
          <li className="hint">and {seen.unreachedCount - seen.unreached.length} more</li>
        ) : null}
      </ul>
    </details>
  )

/** The words as their first reader of each language gets them. */
export const Samples = ({ seen, en, es }: { seen: MailingPreview; en: string; es: string }) => (
  <div className="mailing-samples" aria-live="polite">
    {seen.samples.map(({ language, name, values, count }) => {
      const words = wordsFor(language, { en: en.trim(), es: es.trim() })
      const filled = fillText(words.text, values)
      return (
        <figure key={language}>
          <figcaption className="hint">
            {language === 'es' ? 'In Spanish' : 'In English'} to {name}
            {count > 1 ? ` and ${count - 1} more` : ''}
            {language === 'es' && words.language === 'en' ? ': in English, as there are no Spanish words' : ''}
          </figcaption>
          <p className="mailing-bubble pre-line">{(seen.mails === 0 ? asSms(filled) : filled) || '…'}</p>
        </figure>
      )
    })}
  </div>
)

/** What would leave, when, and what it costs of the plan's texts. */
export const MessageSum = ({ seen, en, es }: { seen: MailingPreview; en: string; es: string }) => {
  const { timeZone } = useUser().business
  const { texts, segments, segmentsEach, segmentsLeft, quietUntil, quietTexts } = seen
  const isOver = segmentsLeft !== null && segments > segmentsLeft
  const costly = costlyLabel(en + es)
  const lacksPhone = (en + es).includes('{phone}') && seen.samples.some(({ values }) => values.phone === '')
  return (
    <div className="mailing-sum" role="status">
      <b>{seen.chosen === 0 ? 'Nobody is meant: choose another day or another part of the list.' : countWords(seen)}</b>
      {texts > 0 ? (
        <span className="hint">
          {segmentsEach > 1
            ? `The longest text counts as ${segmentsEach}: ${counted(segments, 'text segment')} together`
            : counted(segments, 'text segment')}
          {segmentsLeft === null ? '.' : ` of ${segmentsLeft.toLocaleString('en-US')} left this month.`}
        </span>
      ) : null}
      {lacksPhone ? (
        <span className="hint">Your business has no phone number under Profile: {'{phone}'} is left out.</span>
      ) : null}
      {texts > 0 && costly ? <span className="hint">{costly}: texts leave without.</span> : null}
      {quietUntil && texts > 0 ? (
        <span className="hint">
          {quietTexts === texts
            ? 'It is quiet now: texts leave '
            : `It is quiet now for ${quietTexts.toLocaleString('en-US')} of them, by the clock where they live; the last text leaves `}
          {formatDay(dayOf(quietUntil, timeZone))} at {formatTime(quietUntil, timeZone)}.
        </span>
      ) : null}
      {isOver ? (
        <Banner tone="warn" title={`${counted(segments - segmentsLeft, 'text segment')} more than your plan has left.`}>
          What is over it is not sent. Shorten the message, choose fewer customers or send it by e-mail.
        </Banner>
      ) : null}
    </div>
  )
}
