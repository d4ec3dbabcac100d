import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { typeInto, useDraft } from '../../../ui/drafts.ts'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { changedFields, clashingFields, saveOver } from '../../../ui/saveOver.ts'
import { toast } from '../../../ui/toast.tsx'
import { type BusinessSettings, businessesApi } from '../contract.ts'
import { type BusinessChange, useChangeBusiness, useStore } from './data.ts'
import './sections.css'

/** Whether this person may change the settings; else they are shown as they are. */
export const MayChange = createContext(true)

type Props<T extends FieldValues> = {
  id: string
  title: string
  lead: ReactNode
  settings: BusinessSettings
  pick: (settings: BusinessSettings) => T
  toChange: (values: T) => BusinessChange
  /** Words under the toast's tick: "Season saved". */
  saved: string
  onSaved?: () => void
  children: (form: UseFormReturn<T>) => ReactNode
}

/**
 * One part of the settings, saved by itself. The record has one version for all its parts: what others change in other parts and in fields
 * that were not touched here is taken over silently, a field that both changed is asked about.
 */
export const Section = <T extends FieldValues>({
  id,
  title,
  lead,
  settings,
  pick,
  toChange,
  saved,
  onSaved,
  children,
}: Props<T>) => {
  const mayChange = useContext(MayChange)
  const change = useChangeBusiness()
  const store = useStore()
  const form = useForm<T>({ defaultValues: pick(settings) as DefaultValues<T> })
  const [clash, setClash] = useState(false)
  const theirs = JSON.stringify(pick(settings))
  // What the form was filled with.
  const base = useRef(pick(settings))
  const { isDirty, isSubmitting } = form.formState
  const fill = (now: T) => {
    base.current = now
    setClash(false)
    form.reset(now)
  }
  const takeTheirs = () => fill(pick(settings))
  /** Theirs comes into what nobody touched here; what was typed stays on top of it. */
  const keepMine = (now: T) => {
    const mine = changedFields(base.current, form.getValues())
    fill(now)
    typeInto(form, mine)
  }
  const forget = useDraft(id, {
    form,
    base: () => base.current,
    restore: (draft) => {
      base.current = draft.base
      typeInto(form, draft.mine)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only news from the server begins this
  useEffect(() => {
    const now = pick(settings)
    if (theirs === JSON.stringify(base.current)) return
    const mine = changedFields(base.current, form.getValues())
    if (Object.keys(mine).length === 0) takeTheirs()
    else if (clashingFields(base.current, now, mine).length > 0) setClash(true)
    else keepMine(now)
  }, [theirs])
  const submit = async (values: T) => {
    const opened = { ...settings, ...base.current }
    const clashing = await saveOver<BusinessSettings, T>(
      { read: pick, load: () => call(businessesApi.get, {}) },
      opened,
      changedFields(base.current, values),
      async (mine, { version }) => {
        const before = toChange(base.current)
        fill(
          pick(await change.mutateAsync({ ...changedFields(before, toChange({ ...base.current, ...mine })), version })),
        )
        forget()
        toast.success(saved)
        onSaved?.()
      },
    )
    // The news of it asks, below the fields.
    if (clashing) store(clashing.theirs)
  }
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
        {clash ? (
          <Banner
            tone="warn"
            title="Somebody else changed this part meanwhile."
            action={
              <span className="settings-card__choice">
                <Button size="s" onClick={takeTheirs}>
                  Take theirs
                </Button>
                <Button size="s" onClick={() => keepMine(pick(settings))}>
                  Keep mine
                </Button>
              </span>
            }
          >
            What you typed is still here.
          </Banner>
        ) : null}
        {isDirty && mayChange ? (
          <FormActions>
            <Button type="submit" kind="primary" loading={isSubmitting} disabled={clash}>
              Save {title.toLowerCase()}
            </Button>
            <Button onClick={() => takeTheirs()} disabled={isSubmitting}>
              Undo
            </Button>
          </FormActions>
        ) : null}
      </Form>
    </Card>
  )
}
