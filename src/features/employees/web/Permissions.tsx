import { has, type Permission, permissions, permissionsFor, type Role } from '../../../shared/roles.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { permissionLabel, presetLike, presetOptions, sameSet } from './labels.ts'

type Props = {
  role: Exclude<Role, 'Owner'>
  value: readonly Permission[]
  onChange: (next: Permission[]) => void
  error?: string | undefined
}

/** What a person may do: a preset to start from, and each permission by itself. Nobody can give what he does not have. */
export const Permissions = ({ role, value, onChange, error }: Props) => {
  const user = useUser()
  const mine = (permission: Permission) => has(user, permission)
  const presets = presetOptions(role)
  const preset = presetLike(role, value)
  const toggle = (permission: Permission, on: boolean) =>
    onChange(permissions.filter((one) => (one === permission ? on : value.includes(one))))
  return (
    <div className="people-stack">
      <RadioField
        label="May do"
        value={preset ?? 'own'}
        options={[
          ...presets.map(({ value: name, label, hint }) => ({ value: name, label, hint })),
          ...(preset === null ? [{ value: 'own' as const, label: 'Own choice', hint: 'As ticked below' }] : []),
        ]}
        error={error}
        onChange={(name) => {
          const chosen = presets.find((one) => one.value === name)
          if (!chosen) return
          const next = chosen.permissions.filter((one) => mine(one) || value.includes(one))
          onChange(value.includes('collect') ? [...next, 'collect'] : next)
        }}
      />
      {role === 'Employee' ? (
        <CheckboxField
          label={permissionLabel.collect.label}
          hint={
            mine('collect')
              ? permissionLabel.collect.hint
              : `${permissionLabel.collect.hint} You cannot give this: you do not work with money.`
          }
          value={value.includes('collect')}
          disabled={!mine('collect') && !value.includes('collect')}
          onChange={(on) => toggle('collect', on)}
        />
      ) : (
        <fieldset className="people-permissions">
          <legend>In detail</legend>
          {permissionsFor(role).map((permission) => (
            <CheckboxField
              key={permission}
              label={permissionLabel[permission].label}
              hint={
                mine(permission)
                  ? permissionLabel[permission].hint
                  : `${permissionLabel[permission].hint} You cannot give this: you do not have it.`
              }
              value={value.includes(permission)}
              disabled={!mine(permission) && !value.includes(permission)}
              onChange={(on) => toggle(permission, on)}
            />
          ))}
        </fieldset>
      )}
      {sameSet(value, permissionsFor(role)) && role === 'Admin' ? (
        <p className="hint">Only handing over or closing the business stays with the owner.</p>
      ) : null}
    </div>
  )
}
