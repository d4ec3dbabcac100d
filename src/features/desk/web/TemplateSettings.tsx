import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { smsSegments } from '../../messages/rules.ts'
import { useOwner } from '../../owner/web/session.ts'
import { deskApi, type TemplateEntry } from '../contract.ts'
import { couponMark, textCharacters } from '../rules.ts'
import { templatesQuery, useSaveTemplate } from './data.ts'
import { messageOf, templateNames } from './labels.ts'
import { useNotify } from './notice.ts'

const nameOf = (entry: TemplateEntry): string =>
  `${entry.channel === 'email' ? 'Email' : 'SMS'}: ${templateNames[entry.key]}${entry.isChanged ? ' (changed)' : ''}`

const read = ({ subject, message }: TemplateEntry) => ({ subject, message })

const Editor = ({ entry }: { entry: TemplateEntry }) => {
  const { ask } = useOwner()
  const change = useSaveTemplate()
  const notify = useNotify()
  const form = useForm({ defaultValues: read(entry) })
  const { save, dialog, refill } = useVersioned({
    record: entry,
    read,
    load: async () => {
      const { items } = await ask(deskApi.templates, {})
      return items.find(({ channel, key }) => channel === entry.channel && key === entry.key)
    },
    words: { subject: 'Subject', message: 'Message' },
    live: { dirty: form.formState.isDirty, fill: (now) => form.reset(read(now)) },
  })
  const message = form.watch('message')
  const { segments } = smsSegments(message)
  return (
    <Form
      form={form}
      label={nameOf(entry)}
      onSubmit={(words) =>
        save(words, async (changes, { version }, also) => {
          refill(await change.mutateAsync({ entry, change: { ...changes, version } }))
          notify('done', `Template saved${also}`)
        })
      }
    >
      {entry.channel === 'email' ? (
        <FormField control={form.control} name="subject">
          {(field) => <TextField label="Subject" maxLength={200} {...field} />}
        </FormField>
      ) : null}
      <FormField control={form.control} name="message">
        {(field) => (
          <TextAreaField
            label="Message"
            rows={entry.channel === 'email' ? 10 : 4}
            hint={`{name} becomes the lead's name, {scheduling_link} the page for booking a call, and ${couponMark} asks for a coupon.`}
            {...field}
          />
        )}
      </FormField>
      {entry.channel === 'sms' ? (
        <p className="hint num">
          {message.length}/{textCharacters} characters before the name and the link are filled in
          {segments > 1 ? `, ${segments} segments` : ''}
        </p>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Save template
        </Button>
        {entry.isChanged ? (
          <Button
            onClick={() =>
              change.mutate(
                { entry, change: null },
                {
                  onSuccess: (original) => {
                    refill(original)
                    notify('done', 'Template is as it came')
                  },
                  onError: (error) => notify('error', messageOf(error)),
                },
              )
            }
          >
            Put back the original
          </Button>
        ) : null}
      </FormActions>
      {dialog}
    </Form>
  )
}

/** The words of each quick template, one at a time. */
export const TemplateSettings = () => {
  const { ask } = useOwner()
  const found = useQuery(templatesQuery(ask))
  const [chosen, setChosen] = useState('email:initial_contact')
  if (found.isError && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data) return <PanelSkeleton />
  const entry = found.data.items.find((one) => `${one.channel}:${one.key}` === chosen)
  return (
    <div className="desk-write">
      <SelectField
        label="Template"
        value={chosen}
        options={found.data.items.map((one) => ({ value: `${one.channel}:${one.key}`, label: nameOf(one) }))}
        onChange={setChosen}
      />
      {entry ? <Editor key={chosen} entry={entry} /> : null}
    </div>
  )
}
