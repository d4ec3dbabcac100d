import { useQuery } from '@tanstack/react-query'
import { useFieldArray, useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../ui/icons.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { stopsApi } from '../contract.ts'
import { longestPhrase, mostPhrases, type NotePart, noteParts, type Phrase, partLabel } from '../rules.ts'
import { stopSettingsQuery, useSaveStopSettings } from './data.ts'
import './stops.css'

type Saved = { phrases: Phrase[]; version: number }
// A field array keeps `id` for itself.
type Row = { phraseId: string; part: NotePart; en: string; es: string }

const rowsOf = (phrases: readonly Phrase[]): Row[] => phrases.map(({ id, ...phrase }) => ({ ...phrase, phraseId: id }))

const Editor = ({ saved }: { saved: Saved }) => {
  const mayChange = useMay()(stopsApi.saveSettings)
  const save = useSaveStopSettings()
  const form = useForm<{ phrases: Row[] }>({ defaultValues: { phrases: rowsOf(saved.phrases) } })
  const { control } = form
  const { isDirty, isSubmitting } = form.formState
  const { fields, append, remove } = useFieldArray({ control, name: 'phrases' })
  const submit = async ({ phrases }: { phrases: Row[] }) => {
    const now = await save.mutateAsync({
      phrases: phrases.map(({ phraseId, ...phrase }) => ({ ...phrase, id: phraseId })),
      version: saved.version,
    })
    form.reset({ phrases: rowsOf(now.phrases) })
    toast.success('Phrases saved. Crews have them with their next signal')
  }
  return (
    <Form form={form} onSubmit={submit} label="Crew phrases">
      <fieldset className="settings-card__fields" disabled={!mayChange}>
        {fields.map((field, at) => (
          <div key={field.id} className="phrase-row">
            <FormField control={control} name={`phrases.${at}.part`}>
              {(f) => (
                <SelectField
                  label={`Phrase ${at + 1} is`}
                  options={noteParts.map((value) => ({ value, label: partLabel[value] }))}
                  {...f}
                />
              )}
            </FormField>
            <FormField control={control} name={`phrases.${at}.en`} needed="What does it say?">
              {(f) => <TextField label="In English" maxLength={longestPhrase} {...f} />}
            </FormField>
            <FormField control={control} name={`phrases.${at}.es`}>
              {(f) => <TextField label="In Spanish" optional maxLength={longestPhrase} {...f} />}
            </FormField>
            <IconButton label={`Take phrase ${at + 1} off`} icon={<IconTrash />} onClick={() => remove(at)} />
          </div>
        ))}
        {fields.length < mostPhrases ? (
          <div>
            <Button
              size="s"
              kind="quiet"
              icon={<IconPlus />}
              onClick={() => append({ phraseId: crypto.randomUUID(), part: 'saw', en: '', es: '' })}
            >
              Add a phrase
            </Button>
          </div>
        ) : null}
      </fieldset>
      {isDirty && mayChange ? (
        <FormActions>
          <Button type="submit" kind="primary" loading={isSubmitting}>
            Save crew phrases
          </Button>
          <Button onClick={() => form.reset({ phrases: rowsOf(saved.phrases) })} disabled={isSubmitting}>
            Undo
          </Button>
        </FormActions>
      ) : null}
    </Form>
  )
}

/** What crews may say at a stop by a tap. */
export const PhrasesSection = () => {
  const found = useQuery(stopSettingsQuery)
  return (
    <Card id="phrases" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Crew phrases</h2>
        <p className="muted">
          A tap on the phone instead of typing. What goes to a customer is written in the customer's language, what goes
          to the office in English.
        </p>
      </div>
      {found.data ? (
        <Editor saved={found.data} />
      ) : found.isError ? (
        <ErrorState error={found.error} compact onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <CardSkeleton />
      )}
    </Card>
  )
}
