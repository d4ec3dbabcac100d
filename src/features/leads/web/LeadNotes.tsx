import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { businessLeadsApi, type LeadRecord } from '../contract.ts'
import { type CallOutcome, callOutcomeLabel, callOutcomes } from '../rules.ts'
import { useNote } from './data.ts'

/** A note, or a call in two taps: what was typed goes along. */
export const LeadNotes = ({ lead }: { lead: LeadRecord }) => {
  const note = useNote(lead.id)
  const form = useForm({ defaultValues: { words: '' } })
  if (!lead.can.note) return null
  const log = async (call: CallOutcome | null, words: string) => {
    await note.mutateAsync({ words, call })
    form.reset()
    toast.success(call ? 'The call is logged' : 'The note is kept')
  }
  return (
    <Form
      form={form}
      label="Note"
      className="lead-note"
      onSubmit={async ({ words }) => {
        if (words.trim() === '') return form.setError('words', { message: 'Write something first.' })
        await log(null, words)
      }}
    >
      <FormField control={form.control} name="words">
        {(f) => <TextAreaField label="Note, or what was said" rows={2} maxLength={4000} {...f} />}
      </FormField>
      <div className="lead-note__foot">
        <Button size="s" type="submit" calls={businessLeadsApi.note} loading={form.formState.isSubmitting}>
          Keep the note
        </Button>
        <span className="hint" id={`calls-${lead.id}`}>
          or log a call:
        </span>
        {callOutcomes.map((call) => (
          <Button
            key={call}
            size="s"
            kind="quiet"
            calls={businessLeadsApi.note}
            disabled={note.isPending}
            onClick={() => void log(call, form.getValues('words')).catch(toast.error)}
          >
            {callOutcomeLabel[call]}
          </Button>
        ))}
      </div>
    </Form>
  )
}
