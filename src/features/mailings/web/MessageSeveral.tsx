import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { fillText } from '../../businesses/notices/rules.ts'
import { type MailingPreview, mailingsApi } from '../contract.ts'
import { type About, countWords, mostCharacters, mostChosen, type Way, wordsFor } from '../rules.ts'
import { type Asked, previewQuery, useMailing } from './data.ts'
import './mailings.css'

type Props = { choice: Asked['choice']; onClose: () => void; onDone: () => void }
type Values = { way: Way; about: About; subject: string; en: string; es: string }

const wayOptions = [
  { value: 'best', label: 'Text, else e-mail' },
  { value: 'sms', label: 'Text only' },
  { value: 'email', label: 'E-mail only' },
] as const

/** Who is not written to, by name and reason, before anything leaves. */
const LeftOut = ({ seen }: { seen: MailingPreview }) =>
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
const Samples = ({ seen, en, es }: { seen: MailingPreview; en: string; es: string }) => (
  <div className="mailing-samples" aria-live="polite">
    {seen.samples.map(({ language, name, values, count }) => {
      const words = wordsFor(language, { en: en.trim(), es: es.trim() })
      return (
        <figure key={language}>
          <figcaption className="hint">
            {language === 'es' ? 'In Spanish' : 'In English'} to {name}
            {count > 1 ? ` and ${count - 1} more` : ''}
            {language === 'es' && words.language === 'en' ? ': in English, as there are no Spanish words' : ''}
          </figcaption>
          <p className="mailing-bubble pre-line">{fillText(words.text, values) || '…'}</p>
        </figure>
      )
    })}
  </div>
)

/** One message to all customers that were chosen: whom it reaches stands beside it while it is written. */
export const MessageSeveral = ({ choice, onClose, onDone }: Props) => {
  const { timeZone } = useUser().business
  const { send, stop } = useMailing()
  const form = useForm<Values>({ defaultValues: { way: 'best', about: 'service', subject: '', en: '', es: '' } })
  const [way, about, en, es] = form.watch(['way', 'about', 'en', 'es'])
  const preview = useQuery({ ...previewQuery({ choice, way, about }), placeholderData: keepPreviousData })
  const seen = preview.data
  const reached = seen ? seen.texts + seen.mails : 0
  const hasSpanish = seen?.samples.some(({ language }) => language === 'es') ?? false
  const submit = async (values: Values) => {
    const made = await send.mutateAsync({ choice, ...values })
    toast.undo(
      `${countWords(seen ?? made)} on the way`,
      () =>
        stop.mutate(made.id, {
          onSuccess: ({ sent }) =>
            toast.message(sent === 0 ? 'Nothing was sent' : `The rest was stopped. ${sent} had left already.`),
          onError: toast.error,
        }),
      made.id,
    )
    onDone()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="l"
      closeOnOutside={!form.formState.isDirty}
      title={
        seen
          ? `Message ${seen.chosen.toLocaleString('en-US')} ${seen.chosen === 1 ? 'customer' : 'customers'}`
          : 'Message customers'
      }
    >
      {preview.isError && !seen ? (
        <ErrorState
          compact
          error={preview.error}
          onRetry={() => void preview.refetch()}
          retrying={preview.isFetching}
        />
      ) : !seen ? (
        <Skeleton height={240} />
      ) : seen.tooMany ? (
        <Banner tone="warn" title={`That is more than ${mostChosen} customers at once.`}>
          Narrow the list, by a tag or a ZIP code, and write to them in parts. Nothing was sent.
        </Banner>
      ) : (
        <Form form={form} onSubmit={submit}>
          <FormField control={form.control} name="about">
            {(field) => (
              <RadioField
                label="What is it about?"
                options={[
                  { value: 'service', label: 'Their service', hint: 'Rain, a holiday, another day' },
                  { value: 'offer', label: 'An offer', hint: 'Only to who agreed to offers' },
                ]}
                row
                {...field}
              />
            )}
          </FormField>
          <FormField control={form.control} name="way">
            {(field) => <SelectField label="How" options={wayOptions} {...field} />}
          </FormField>
          {seen.mails > 0 ? (
            <FormField control={form.control} name="subject">
              {(field) => <TextField label="Subject of the e-mail" maxLength={150} {...field} />}
            </FormField>
          ) : null}
          <FormField control={form.control} name="en">
            {(field) => (
              <TextAreaField
                label="Message"
                rows={3}
                maxLength={mostCharacters}
                hint="{name}, {business} and {phone} are filled in for each customer."
                {...field}
              />
            )}
          </FormField>
          {hasSpanish ? (
            <FormField control={form.control} name="es">
              {(field) => (
                <TextAreaField
                  label="Message in Spanish"
                  optional
                  rows={3}
                  maxLength={mostCharacters}
                  hint="For customers who read Spanish. Left empty, they get the English words."
                  {...field}
                />
              )}
            </FormField>
          ) : null}
          <Samples seen={seen} en={en} es={es} />
          <div className="mailing-sum" role="status">
            <b>{countWords(seen)}</b>
            {seen.quietUntil && seen.texts > 0 ? (
              <span className="hint">
                It is quiet now: texts leave {formatDay(dayOf(seen.quietUntil, timeZone))} at{' '}
                {formatTime(seen.quietUntil, timeZone)}.
              </span>
            ) : null}
            {seen.segmentsLeft !== null && seen.texts > seen.segmentsLeft ? (
              <span className="hint">
                Your plan has {seen.segmentsLeft} texts left this month: the rest is not sent.
              </span>
            ) : null}
          </div>
          <LeftOut seen={seen} />
          <FormActions>
            <Button
              calls={mailingsApi.send}
              kind="primary"
              type="submit"
              loading={form.formState.isSubmitting}
              disabled={reached === 0 || preview.isPlaceholderData}
            >
              {reached === 1 ? 'Send to 1 customer' : `Send to ${reached.toLocaleString('en-US')} customers`}
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}
