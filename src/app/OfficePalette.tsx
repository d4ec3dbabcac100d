import { useCallback, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { useMaybeUser, useOnlyLooks, useSession } from '../features/accounts/web/session.ts'
import { PaletteBody } from '../ui/PaletteBody.tsx'
import { findRecords, paletteGroups } from './palette.tsx'

type Props = { onOpenChange: (open: boolean) => void; showKeys: () => void }

/** What Ctrl K finds in the office. Its many words come with it, and not with the first screen. */
export const OfficePalette = ({ onOpenChange, showKeys }: Props) => {
  const navigate = useNavigate()
  const session = useSession()
  const who = useMaybeUser()
  const isOwner = who?.role === 'Owner'
  const onlyLooks = useOnlyLooks()
  const groups = useMemo(
    () =>
      paletteGroups(navigate, {
        viewer: { isOwner, isSupport: onlyLooks },
        who,
        showKeys,
        signOut: () => void session.signOut(),
      }),
    [navigate, session, who, isOwner, onlyLooks, showKeys],
  )
  const search = useCallback((text: string, signal: AbortSignal) => findRecords(navigate, text, signal), [navigate])
  return <PaletteBody open onOpenChange={onOpenChange} groups={groups} search={search} />
}
