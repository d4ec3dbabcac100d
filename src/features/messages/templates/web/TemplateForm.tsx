import { useForm } from 'react-hook-form'
import { call } from '../../../../shared/client.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useVersioned } from '../../../../ui/useVersioned.tsx'
import { type MessageTemplate, messageTemplatesApi } from '../contract.ts'
import { longestSubject, longestTemplate, templateVariables } from '../rules.ts'
import { type TemplateWords, useCreateTemplate, useUpdateTemplate } from './data.ts'

const read = ({ name, textEn, textEs, subjectEn, subjectEs }: TemplateWords): TemplateWords => ({
  name,
  textEn,
  textEs,
  subjectEn,
  subjectEs,
})
const nothing: TemplateWords = { name: '', textEn: '', textEs: '', subjectEn: '', subjectEs: '' }

/** A template, new or as it stands. */
export const TemplateForm = ({ template, onDone }: { template: MessageTemplate | null; onDone: () => void }) => {
  const form = useForm<TemplateWords>({ defaultValues: read(template ?? nothing) })
  const [create, update] = [useCreateTemplate(), useUpdateTemplate()]
  const { save, dialog } = useVersioned({
    record: template,
    read,
    load: async () => (await call(messageTemplatesApi.list, {})).items.find(({ id }) => id === template?.id),
    words: {
      name: 'Name',
      textEn: 'English',
      textEs: 'Spanish',
      subjectEn: 'Subject of a mail',
      subjectEs: 'Subject in Spanish',
    },
  })
  const submit = async (values: TemplateWords) => {
    if (!template) {
      toast.success(`${(await create.mutateAsync(values)).name} is saved`)
      onDone()
      return
    }
    await save(values, async (changes, { version }, also) => {
      const saved = await update.mutateAsync({ id: template.id, ...changes, version })
      toast.success(`${saved.name} is saved${also}`)
      onDone()
    })
  }
  return (
    <Form form={form} label={template ? `Edit ${template.name}` : 'New template'} onSubmit={submit}>
      <FormField control={form.control} name="name" needed="A name is needed.">
        {(field) => <TextField label="Name" hint="Only the office sees it" maxLength={60} autoFocus {...field} />}
      </FormField>
      <FormField control={form.control} name="textEn" needed="Write the English text first.">
        {(field) => <TextAreaField label="English" rows={3} maxLength={longestTemplate} {...field} />}
      </FormField>
      <FormField control={form.control} name="textEs">
        {(field) => (
          <TextAreaField
            label="Spanish"
            optional
            rows={3}
            maxLength={longestTemplate}
            hint="For customers who read Spanish. Left empty, they get the English text."
            {...field}
          />
        )}
      </FormField>
      <FormField control={form.control} name="subjectEn">
        {(field) => (
          <TextField
            label="Subject of a mail"
            optional
            maxLength={longestSubject}
            hint="Put in where a mail has none yet. A text has no subject."
            {...field}
          />
        )}
      </FormField>
      <FormField control={form.control} name="subjectEs">
        {(field) => <TextField label="Subject in Spanish" optional maxLength={longestSubject} {...field} />}
      </FormField>
      <p className="hint">
        Filled in for each customer: {templateVariables.map((name) => `{${name}}`).join(', ')}. The names stay English
        in the Spanish text, too.
      </p>
      <FormActions>
        <Button
          type="submit"
          kind="primary"
          calls={template ? messageTemplatesApi.update : messageTemplatesApi.create}
          loading={form.formState.isSubmitting}
        >
          Save template
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
      {dialog}
    </Form>
  )
}
