import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { messageIn } from '../../../shared/spanishMessages.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../ui/field/FieldInput.tsx'

export type SheetField = {
  name: string
  label: string
  type?: 'email' | 'password' | 'tel'
  autoComplete: string
  first?: string
}

/** A short form in a sheet: the server's words stand at the fields, the first of them in sight, and what was typed stays until it is saved. */
export const SheetForm = ({
  fields,
  lead,
  action,
  failed,
  language,
  onSave,
}: {
  fields: readonly SheetField[]
  lead?: string
  action: string
  failed: string
  /** The server speaks English: what it says of a field is said in this. */
  language: 'en' | 'es'
  onSave: (values: Record<string, string>) => Promise<unknown>
}) => {
  const [values, setValues] = useState(() => Object.fromEntries(fields.map((f) => [f.name, f.first ?? ''])))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(errors).length > 0)
      form.current?.querySelector<HTMLElement>('[role="alert"], [aria-invalid]')?.focus()
  }, [errors])
  const save = async () => {
    setBusy(true)
    setErrors({})
    try {
      await onSave(values)
    } catch (error) {
      const placed = error instanceof ApiError ? error.errors.filter((e) => e.path in values) : []
      const said = (message: string) => messageIn(language, message, failed)
      const rest = error instanceof ApiError ? said(error.message) : failed
      setErrors(placed.length > 0 ? Object.fromEntries(placed.map((e) => [e.path, said(e.message)])) : { '': rest })
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      ref={form}
      className="c-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {lead ? <p className="muted">{lead}</p> : null}
      {errors[''] ? (
        <div role="alert" tabIndex={-1}>
          <Alert tone="danger">{errors['']}</Alert>
        </div>
      ) : null}
      {fields.map(({ name, label, type, autoComplete }) => (
        <FieldInput
          key={name}
          name={name}
          label={label}
          type={type ?? 'text'}
          autoComplete={autoComplete}
          maxLength={128}
          value={values[name] ?? ''}
          error={errors[name]}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <FieldButton kind="main" type="submit" busy={busy}>
        {action}
      </FieldButton>
    </form>
  )
}
