import { createContext, type ReactNode, useContext } from 'react'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { typeInto, useDraft } from '../../../ui/drafts.ts'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { changedFields } from '../../../ui/saveOver.ts'
import type { FieldWords } from '../../../ui/TwoAnswers.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { type BusinessSettings, businessesApi } from '../contract.ts'
import { type BusinessChange, useChangeBusiness } from './data.ts'
import './sections.css'

/** Whether this person may change the settings; else they are shown as they are. */
export const MayChange = createContext(true)

type Props<T extends FieldValues> = {
  id: string
  title: string
  lead: ReactNode
  settings: BusinessSettings
  pick: (settings: BusinessSettings) => T
  /** What the fields are called where two people changed the same one. */
  words: FieldWords<T>
  toChange: (values: T) => BusinessChange
  /** Words under the toast's tick: "Season saved". */
  saved: string
  onSaved?: () => void
  children: (form: UseFormReturn<T>) => ReactNode
}

/**
 * One part of the settings, saved by itself. The record has one version for all its parts: what others change in other parts and in fields
 * that were not touched here stays, about a field that both changed the person is asked.
 */
export const Section = <T extends FieldValues>({
  id,
  title,
  lead,
  settings,
  pick,
  words,
  toChange,
  saved,
  onSaved,
  children,
}: Props<T>) => {
  const mayChange = useContext(MayChange)
  const change = useChangeBusiness()
  const form = useForm<T>({ defaultValues: pick(settings) as DefaultValues<T> })
  const { isDirty, isSubmitting } = form.formState
  const { save, dialog, opened, reopen, refill } = useVersioned<BusinessSettings, T>({
    record: settings,
    read: pick,
    load: () => call(businessesApi.get, {}),
    words,
    live: { dirty: isDirty, fill: (now) => form.reset(pick(now)) },
  })
  const forget = useDraft<T, BusinessSettings>(id, {
    form,
    base: () => pick(opened ?? settings),
    record: opened ?? settings,
    restore: ({ mine, record }) => {
      // What others changed meanwhile is asked about when it is saved over the version that this began with.
      reopen(record)
      typeInto(form, mine)
    },
  })
  const submit = (values: T) =>
    save(values, async (mine, over, also) => {
      const before = pick(over)
      const changes = changedFields(toChange(before), toChange({ ...before, ...mine }))
      refill(await change.mutateAsync({ ...changes, version: over.version }))
      forget()
      toast.success(`${saved}${also}`)
      onSaved?.()
    })
  return (
    <Card id={id} flush className="settings-card">
      <div className="settings-card__words">
        <h2>{title}</h2>
        <p className="muted">{lead}</p>
      </div>
      <Form form={form as UseFormReturn<FieldValues>} onSubmit={(values) => submit(values as T)} label={title}>
        <fieldset className="settings-card__fields" disabled={!mayChange}>
          {children(form)}
        </fieldset>
        {isDirty && mayChange ? (
          <FormActions>
            <Button type="submit" kind="primary" loading={isSubmitting}>
              Save {title.toLowerCase()}
            </Button>
            <Button onClick={() => refill(settings)} disabled={isSubmitting}>
              Undo
            </Button>
          </FormActions>
        ) : null}
        {dialog}
      </Form>
    </Card>
  )
}
