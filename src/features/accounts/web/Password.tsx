import type { Control } from 'react-hook-form'
import { FormField } from '../../../ui/FormField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { passwordMinimum, passwordTooShort } from '../rules.ts'

/** What is wrong with a new password and its repetition, as the form keeps errors. */
export const newPasswordErrors = (
  password: string,
  repeated: string,
): Partial<Record<'password' | 'repeated', { type: string; message: string }>> => {
  const isShort = password.length < passwordMinimum
  const again = repeated === '' ? 'Type it once more' : password === repeated ? null : 'Passwords do not match'
  return {
    ...(isShort ? { password: { type: 'min', message: passwordTooShort } } : {}),
    ...(again ? { repeated: { type: 'same', message: again } } : {}),
  }
}

type TwoPasswords = { password: string; repeated: string }

/** A new password, twice. */
export const NewPasswordFields = <T extends TwoPasswords>({
  control,
  label = 'Password',
  autoFocus = false,
}: {
  control: Control<T>
  label?: string
  autoFocus?: boolean
}) => {
  const own = control as unknown as Control<TwoPasswords>
  return (
    <>
      <FormField control={own} name="password">
        {(field) => (
          <TextField
            label={label}
            type="password"
            autoComplete="new-password"
            hint={`At least ${passwordMinimum} characters`}
            maxLength={128}
            autoFocus={autoFocus}
            {...field}
          />
        )}
      </FormField>
      <FormField control={own} name="repeated">
        {(field) => (
          <TextField label={`${label} again`} type="password" autoComplete="new-password" maxLength={128} {...field} />
        )}
      </FormField>
    </>
  )
}
