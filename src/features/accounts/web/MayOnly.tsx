import type { ReactNode } from 'react'
import type { Need } from '../../../shared/can.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useMay, useSupport, useTour } from './session.ts'

/** A form that makes something, for who may make it; others read why it is not there, before they type. */
export const MayOnly = ({ need, children }: { need: Need; children: ReactNode }) => {
  const may = useMay()(need)
  const isSupport = useSupport() !== null
  const isTour = useTour() !== null
  if (may) return children
  if (isTour)
    return (
      <EmptyState title="This is a tour" picture="none">
        Nothing is saved on the tour, so there is no form here. In your own account it is.
      </EmptyState>
    )
  return (
    <EmptyState title={isSupport ? 'You are looking as support' : 'Your role does not include this'} picture="none">
      {isSupport
        ? 'Support reads and changes nothing, so there is no form here.'
        : 'Ask the owner of your business if you need it.'}
    </EmptyState>
  )
}
