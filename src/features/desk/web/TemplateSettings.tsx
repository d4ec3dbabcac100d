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
import { smsSegments } from '../../messages/rules.ts'
import { useOwner } from '../../owner/web/session.ts'
import type { TemplateEntry } from '../contract.ts'
import { couponMark, textCharacters } from '../rules.ts'
import { templatesQuery, useSaveTemplate } from './data.ts'
import { messageOf, templateNames } from './labels.ts'
import { useNotify } from './notice.ts'

const nameOf = (entry: TemplateEntry): string =>
  `${entry.channel === 'email' ? 'Email' : 'SMS'}: ${templateNames[entry.key]}${entry.isChanged ? ' (changed)' : ''}`

const Editor = ({ entry }: { entry: TemplateEntry }) => {
  const save = useSaveTemplate()
  const notify = useNotify()
  const form = useForm({ defaultValues: { subject: entry.subject, message: entry.message } })
  const message = form.watch('message')
  const { segments } = smsSegments(message)
  return (
    <Form
      form={form}
      label={nameOf(entry)}
      onSubmit={async (words) => {
        await save.mutateAsync({ entry, words })
        notify('done', 'Template saved')
      }}
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
              save.mutate(
                { entry, words: null },
                {
                  onSuccess: () => notify('done', 'Template is as it came'),
                  onError: (error) => notify('error', messageOf(error)),
                },
              )
            }
          >
            Put back the original
          </Button>
        ) : null}
      </FormActions>
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
      {entry ? <Editor key={`${chosen}:${entry.isChanged}:${entry.message}`} entry={entry} /> : null}
    </div>
  )
}
