import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { BusinessSettings } from '../contract.ts'
import { type BusinessChange, useChangeBusiness } from './data.ts'

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
 * One part of the settings, saved by itself. The record has one version for all its parts: what others change in other parts is taken
 * over silently, what they change in this one while it is being edited is asked about.
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
  const form = useForm<T>({ defaultValues: pick(settings) as DefaultValues<T> })
  const [clash, setClash] = useState(false)
  const theirs = JSON.stringify(pick(settings))
  const base = useRef(theirs)
  const { isDirty, isSubmitting } = form.formState
  const takeTheirs = () => {
    base.current = theirs
    setClash(false)
    form.reset(pick(settings))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only news from the server begins this
  useEffect(() => {
    if (theirs === base.current) return
    if (isDirty) setClash(true)
    else takeTheirs()
  }, [theirs])
  const submit = async (values: T) => {
    const next = await change.mutateAsync({ ...toChange(values), version: settings.version })
    base.current = JSON.stringify(pick(next))
    setClash(false)
    form.reset(pick(next))
    toast.success(saved)
    onSaved?.()
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
                <Button
                  size="s"
                  onClick={() => {
                    base.current = theirs
                    setClash(false)
                  }}
                >
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
