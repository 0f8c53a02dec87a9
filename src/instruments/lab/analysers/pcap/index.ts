import type { Analyser } from '../../contract.ts';
import { pcap } from './pcap.ts';

export const pcapAnalysers: readonly Analyser[] = [pcap];
