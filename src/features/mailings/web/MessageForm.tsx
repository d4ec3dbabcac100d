import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
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
import { type MailingPreview, mailingsApi } from '../contract.ts'
import { type About, bracesProblem, countWords, mostCharacters, mostChosen, type Way } from '../rules.ts'
import { type Asked, previewQuery, useMailing } from './data.ts'
import { LeftOut, MessageSum, Samples } from './MessageSum.tsx'
import './mailings.css'

export type MessageValues = { way: Way; about: About; subject: string; en: string; es: string }
const empty: MessageValues = { way: 'best', about: 'service', subject: '', en: '', es: '' }

const wayOptions = [
  { value: 'best', label: 'Text, else e-mail' },
  { value: 'sms', label: 'Text only' },
  { value: 'email', label: 'E-mail only' },
] as const

export const useMessageForm = (about: About = 'service') =>
  useForm<MessageValues>({ defaultValues: { ...empty, about } })

/** Whom a message in the making reaches. The words are counted when nobody has typed for a moment. */
export const useMessagePreview = (choice: Asked['choice'] | null, form: UseFormReturn<MessageValues>) => {
  const [way, about, en, es] = form.watch(['way', 'about', 'en', 'es'])
  const [words] = useDebouncedValue({ en, es }, 400)
  const preview = useQuery({
    ...previewQuery({ choice: choice ?? { ids: [] }, way, about, ...words }),
    enabled: choice !== null,
    placeholderData: keepPreviousData,
  })
  return { preview, seen: choice === null ? undefined : preview.data }
}

type FieldsProps = { form: UseFormReturn<MessageValues>; seen: MailingPreview | undefined }

/** The first field with a blank that nobody knows. */
const firstWrong = (values: MessageValues) =>
  (['subject', 'en', 'es'] as const).find((name) => bracesProblem(values[name]) !== null)

/** Said while it is typed: the preview leaves what nobody knows out, and the words would look whole. */
const problemOf = (text: string, error: string | undefined) => bracesProblem(text) ?? error

const Fields = ({ form, seen }: FieldsProps) => (
  <>
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
    {seen && seen.mails > 0 ? (
      <FormField control={form.control} name="subject">
        {(field) => (
          <TextField
            label="Subject of the e-mail"
            maxLength={150}
            {...field}
            error={problemOf(field.value, field.error)}
          />
        )}
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
          error={problemOf(field.value, field.error)}
        />
      )}
    </FormField>
    {seen?.samples.some(({ language }) => language === 'es') ? (
      <FormField control={form.control} name="es">
        {(field) => (
          <TextAreaField
            label="Message in Spanish"
            optional
            rows={3}
            maxLength={mostCharacters}
            hint="For customers who read Spanish. Left empty, they get the English words."
            {...field}
            error={problemOf(field.value, field.error)}
          />
        )}
      </FormField>
    ) : null}
  </>
)

/** The message as a customer would get it, to the person who writes it. */
const TestButton = ({ form, seen }: FieldsProps) => {
  const { test } = useMailing()
  const channel = seen && seen.texts === 0 ? 'email' : 'sms'
  const run = async () => {
    if (!(await form.trigger())) return
    const { about, subject, en, es } = form.getValues()
    const wrong = firstWrong(form.getValues())
    if (wrong) return form.setFocus(wrong)
    if (en.trim() === '') return form.setError('en', { message: 'Write something first.' }, { shouldFocus: true })
    const language = seen?.samples[0]?.language ?? 'en'
    test.mutate(
      { channel, about, language, subject, en, es },
      { onSuccess: ({ to }) => toast.success(`A test is on its way to ${to}`), onError: toast.error },
    )
  }
  return (
    <Button calls={mailingsApi.test} kind="quiet" loading={test.isPending} onClick={() => void run()}>
      Send me a test
    </Button>
  )
}

type Props = {
  choice: Asked['choice'] | null
  form: UseFormReturn<MessageValues>
  /** What stands where nobody is chosen yet. */
  nobody?: ReactNode
  onSent: () => void
  onCancel?: () => void
}

/** One message to all customers that were chosen: whom it reaches, and what it costs, stands beside it while it is written. */
export const MessageForm = ({ choice, form, nobody, onSent, onCancel }: Props) => {
  const { send, stop } = useMailing()
  const { preview, seen } = useMessagePreview(choice, form)
  const [en, es] = form.watch(['en', 'es'])
  const reached = seen ? seen.texts + seen.mails : 0
  const submit = async (values: MessageValues) => {
    if (!choice) return
    const wrong = firstWrong(values)
    if (wrong) return form.setFocus(wrong)
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
    onSent()
  }
  if (preview.isError && !preview.data)
    return (
      <ErrorState compact error={preview.error} onRetry={() => void preview.refetch()} retrying={preview.isFetching} />
    )
  if (choice && !seen) return <Skeleton height={240} />
  if (seen?.tooMany)
    return (
      <Banner tone="warn" title={`That is more than ${mostChosen} customers at once.`}>
        Narrow the list, by a tag or a ZIP code, and write to them in parts. Nothing was sent.
      </Banner>
    )
  return (
    <Form form={form} onSubmit={submit}>
      <div className="mailing-compose">
        <div className="mailing-compose__words">
          <Fields form={form} seen={seen} />
        </div>
        <div className="mailing-compose__sum">
          {seen ? (
            <>
              <Samples seen={seen} en={en} es={es} />
              <MessageSum seen={seen} en={en} es={es} />
              <LeftOut seen={seen} />
            </>
          ) : (
            nobody
          )}
        </div>
      </div>
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
        <TestButton form={form} seen={seen} />
        {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
      </FormActions>
    </Form>
  )
}
