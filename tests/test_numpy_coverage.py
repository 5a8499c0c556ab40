"""NumPy's functions and methods on values of the run: none of these runs in the interpreter.

Each table is a list of expressions, compared with plain Python by value, dtype, type, shape and exception under STRICT, several
of them compiled as one function.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from array_comparison import agree_nearly, outcome, program
from expression_tables import expressions, groups
from grouped import grouped

from jitcore import context, grad, jit
from jitcore.runtime.dispatch import FallbackWarning

X = np.arange(12.0).reshape(3, 4) * 0.7 - 2
V = np.array([3.0, 1.0, 2.0, 1.0])
ARGUMENTS: dict[str, Any] = {
    "x": X, "y": np.arange(12.0).reshape(3, 4)[::-1] * 0.5 + 1, "v": V, "i": np.array([0, 2, 1, 2]),
    "sq": np.array([[2.0, 1.0], [1.0, 3.0]]), "k": 2, "b": V > 1, "z": np.array([1 + 2j, 3 - 1j, 0j]),
    "n": np.array([1.0, np.nan, 3.0, 2.0]), "sym": np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]]), "f": 1.5,
    "e0": np.zeros(0), "o1": np.array([2.5]), "z0": np.array(1.7), "c": np.array([1 + 2j, 0.5j, -3]),
    "i8": np.array([3, -1, 7], np.int8), "f4": np.array([1.5, -2, 0.25], np.float32),
}  # fmt: skip


pytestmark = pytest.mark.usefixtures("strict")


def arguments() -> list[Any]:
    return [a.copy() if isinstance(a, np.ndarray) else a for a in ARGUMENTS.values()]


def function_of(text: str) -> Callable[..., Any]:
    return program(text, ", ".join(ARGUMENTS), math=math, itertools=itertools)


# --- what NumPy gives ------------------------------------------------------------------------------------

LINEAR = """
np.linalg.inv(sq) | np.linalg.inv(np.stack([sq,sq])) | np.linalg.inv(sq.astype(np.float32))
np.linalg.inv(np.array([[1,2],[3,4]])*k) | np.linalg.inv(z[:2].reshape(2,1)*np.eye(2)+np.eye(2))
np.linalg.solve(sq,v[:2]) | np.linalg.solve(sq,sq) | np.linalg.solve(np.stack([sq,sq]),v[:2])
np.linalg.matrix_power(sq,3) | np.linalg.matrix_power(sq,-2) | np.linalg.matrix_power(sq,0) | np.linalg.pinv(x)
np.linalg.lstsq(x.T,v,rcond=None) | np.linalg.lstsq(x[:,:2],v[:3],rcond=None) | np.linalg.lstsq(x[:2],v[:2])
np.linalg.cholesky(sym) | np.linalg.cholesky(sym,upper=True) | np.linalg.cholesky(np.tril(sym)) | np.linalg.qr(sq)
np.linalg.qr(x,'complete') | np.linalg.qr(x,mode='r') | np.linalg.svd(x) | np.linalg.svd(x,full_matrices=False)
np.linalg.svd(x,compute_uv=False) | np.linalg.svdvals(x) | np.linalg.eigh(sym) | np.linalg.eigh(np.triu(sym),'U')
np.linalg.eigvalsh(sym) | np.linalg.eigvals(sym+0j) | np.linalg.eig(sym*1j) | np.linalg.det(sq) | np.linalg.det(sq*1j)
np.linalg.det(np.stack([sq,sq])) | np.linalg.slogdet(sq) | np.linalg.slogdet(sq*1j) | np.linalg.matrix_rank(sq)
np.linalg.matrix_rank(x) | np.linalg.matrix_rank(v) | np.linalg.cond(sq) | np.linalg.cond(sq,1)
np.linalg.cond(sq,'fro') | np.linalg.cond(sq,-2) | np.linalg.norm(sq,2) | np.linalg.norm(sq,'nuc')
np.linalg.norm(x,1) | np.linalg.norm(x,np.inf) | np.linalg.norm(x,-1) | np.linalg.norm(x,'fro',(0,1),True)
np.linalg.norm(v,3) | np.linalg.norm(v,0) | np.linalg.norm(v,-np.inf) | np.linalg.norm(x,2,axis=0) | np.linalg.norm(z)
np.linalg.norm(i) | np.linalg.norm(x,1,axis=1,keepdims=True) | np.linalg.vector_norm(x)
np.linalg.vector_norm(v,ord=1) | np.linalg.matrix_norm(x) | np.linalg.trace(sq) | np.linalg.trace(np.stack([sq,sq]))
np.linalg.diagonal(sq) | np.linalg.matmul(sq,sq) | np.linalg.outer(v,v) | np.linalg.cross(v[:3],v[1:])
np.linalg.tensordot(x,y,axes=2) | np.linalg.matrix_transpose(x) | np.linalg.vecdot(x,y)
np.linalg.multi_dot([sq,sq,v[:2]]) | np.linalg.multi_dot([v[:2],sq,v[:2]])
np.linalg.tensorsolve(np.eye(4).reshape(2,2,2,2)*2.,sq) | np.linalg.tensorinv(np.eye(4).reshape(2,2,2,2)*2.)
"""
FOURIER = """
np.fft.fft(v,3) | np.fft.fft(v,6) | np.fft.ifft(z) | np.fft.rfft(v) | np.fft.irfft(z) | np.fft.irfft(z,5)
np.fft.fft2(x) | np.fft.ifft2(x) | np.fft.rfft2(x) | np.fft.irfft2(x+0j) | np.fft.fftn(x) | np.fft.fftn(x,axes=(0,))
np.fft.hfft(z) | np.fft.ihfft(v) | np.fft.fft(x,axis=0,norm='ortho') | np.fft.fftshift(x) | np.fft.ifftshift(v)
np.fft.fftshift(x,axes=1) | np.fft.fft(v.astype(np.float32)) | np.fft.fft(i) | np.fft.fftfreq(4,0.5)
np.fft.rfftfreq(k) | np.fft.fftfreq(5,v[0])
"""
ORDERS = """
np.median(v) | np.median(x) | np.median(x,axis=0) | np.median(x,axis=1,keepdims=True) | np.median(x,axis=(0,1))
np.median(n) | np.median(i) | np.median(i.astype(np.float32)) | np.median(b) | np.nanmedian(n)
np.nanmedian(x,axis=1) | np.quantile(v,0.3) | np.quantile(v.astype(np.float32),0.3)
np.quantile(v.astype(np.float32),[0.3,0.5]) | np.quantile(x,[0.1,0.9],axis=1) | np.quantile(x,0.25,axis=(0,1))
np.quantile(x,[[0.1,0.9],[0.2,0.3]],axis=0) | np.quantile(x,0.25,axis=0,keepdims=True)
np.quantile(x,[0.25],axis=0,keepdims=True) | np.quantile(n,0.5) | np.quantile(i,0.5) | np.percentile(v,50)
np.percentile(v,[25,75]) | np.percentile(x,30,axis=0) | np.percentile(v.astype(np.float32),30)
np.percentile(v.astype(np.float32),[30]) | np.nanpercentile(n,50) | np.nanquantile(n,[0.2,0.7])
np.nanquantile(x,0.4,axis=1) | np.quantile(v,0.4,method='lower') | np.quantile(v,0.4,method='higher')
np.quantile(v,0.4,method='midpoint') | np.quantile(v,0.4,method='nearest') | np.quantile(v,0.4,method='weibull')
np.quantile(v,0.4,method='hazen') | np.quantile(v,[0.,0.4,1.],method='median_unbiased')
np.quantile(v,0.4,method='interpolated_inverted_cdf') | np.nanargmax(n) | np.nanargmin(n) | np.nanargmax(x,axis=1)
np.nanargmax(i) | np.nancumprod(n) | np.nancumprod(x,axis=0) | np.partition(v,2) | np.partition(x,1,axis=0)
np.partition(x,(1,2)) | np.partition(x,2,axis=None) | np.argpartition(v,2) | np.argpartition(x,1) | np.sort_complex(v)
np.sort_complex(z)
"""
SETS = """
np.unique(i) | np.unique(v) | np.unique(n) | np.unique(np.array([n,n])) | np.unique(i,return_counts=True)
np.unique(v,return_index=True,return_inverse=True) | np.unique(np.array([n,n]),return_counts=True,return_inverse=True)
np.unique(np.array([n,n]),equal_nan=False) | np.unique(np.stack([v,v,v*2]),axis=0)
np.unique(np.stack([v,v,v*2]),axis=0,return_index=True,return_inverse=True,return_counts=True)
np.unique(np.stack([v,v]),axis=1) | np.unique(b) | np.unique_values(v) | np.unique_counts(v) | np.unique_inverse(v)
np.unique_all(v) | np.union1d(i,[7]) | np.union1d(v,x) | np.setxor1d(i,[2,5]) | np.setxor1d(v,x)
np.intersect1d(i,np.array([2,3])) | np.intersect1d(i,np.array([2,3]),return_indices=True)
np.intersect1d(v,[1.,2.,9.]) | np.setdiff1d(i,[2]) | np.setdiff1d(v,[2]) | np.isin(i,[2]) | np.isin(i,[2],invert=True)
np.isin(x,v)
"""
OTHERS = """
np.interp(2.5,np.arange(4.),v) | np.interp(k,np.arange(4.),v) | np.digitize(2.0,v*0+np.arange(4))
np.linspace(v,v*2,3) | np.linspace(v,2,3,axis=1) | np.linspace(0,v,1) | np.linspace(0,v,4,endpoint=False)
np.linspace(0,1,5,retstep=True) | np.linspace(0,v,5,retstep=True) | np.linspace(0,10,5,dtype=int)
np.unravel_index(5,(3,4)) | np.unravel_index(i,(3,4)) | np.gradient(x)
np.piecewise(v,[v<2,v>=2],[lambda t: t*2, lambda t: t - 1]) | np.piecewise(v,[v<2],[lambda t: t*2, 7.])
np.apply_along_axis(np.sum,0,x) | np.apply_along_axis(np.sum,1,x) | np.apply_along_axis(lambda r: r*2,1,x)
np.apply_along_axis(np.sort,0,x) | np.apply_along_axis(np.sum,0,v) | np.apply_over_axes(np.sum,x,[0,1])
"""
UFUNCS = """
np.cbrt(x) | np.cbrt(i) | np.cbrt(k) | np.gcd(i,4) | np.gcd(i,i) | np.lcm(i,k) | np.ldexp(v,i) | np.ldexp(v,2)
np.frexp(x) | np.frexp(1.5) | np.modf(x) | np.modf(i) | np.modf(2.5) | np.modf(np.array([np.inf,-np.inf,np.nan,-0.0]))
np.logaddexp2(v,v) | np.logaddexp2(x,y) | np.nextafter(v,5.) | np.spacing(v) | np.bitwise_count(i)
np.bitwise_count(k) | np.sinc(v) | np.sinc(0.5) | np.sinc(i) | np.i0(v) | np.kaiser(5,v[0]) | np.fix(x) | np.fix(i)
np.fix(2.7) | np.float_power(v,2) | np.float_power(v.astype(np.float32),i) | np.float_power(i,-1) | np.isposinf(v)
np.isneginf(n) | np.iscomplex(z) | np.iscomplex(x) | np.isreal(z) | np.isreal(x) | np.isreal(2.0) | np.iscomplexobj(z)
np.isrealobj(x) | np.isscalar(v) | np.isscalar(v[0]) | np.isscalar(k) | np.iterable(v) | np.iterable(k)
np.real_if_close(x) | np.result_type(x,i) | np.result_type(i,2.0) | np.result_type(np.float32,x)
np.result_type(np.float32(1),k) | np.promote_types('f4','i8') | np.can_cast(np.float32,np.int8)
np.can_cast('f4','f8') | np.common_type(x,i) | np.vecdot(x,y) | np.vecdot(z,z) | np.vecdot(x,y,axis=0)
np.matvec(sq,v[:2]) | np.matvec(np.stack([sq,sq]),v[:2]) | np.vecmat(v[:2],sq) | np.matrix_transpose(x)
np.cumulative_sum(v) | np.cumulative_sum(x,axis=1) | np.cumulative_sum(v,include_initial=True) | np.cumulative_prod(v)
np.cumulative_prod(x,axis=0,include_initial=True) | np.astype(x,np.float32) | np.asfortranarray(x) | np.asanyarray(v)
np.asarray_chkfinite(v) | np.broadcast_shapes((3,1),(1,4)) | np.diag_indices_from(sq)
np.isdtype(np.dtype('f4'),'real floating') | np.min_scalar_type(10) | np.array_equiv(v,v) | np.array_equiv(v,x)
np.ravel_multi_index((1,2),(3,4)) | np.ravel_multi_index((i,i),(3,4))
"""
EDITING = """
np.isreal(2.0) | np.isreal(k) | np.delete(v,1) | np.delete(v,k) | np.delete(x,1,axis=0) | np.delete(x,-1,axis=1)
np.delete(v,[0,2]) | np.delete(v,slice(0,2)) | np.delete(v,i[:2]) | np.delete(v,b) | np.delete(x,i[0],axis=1)
np.insert(v,1,9.) | np.insert(v,[1,2],[8.,9.]) | np.insert(v,1,[8.,9.]) | np.insert(v,-1,9.)
np.insert(x,1,9.,axis=0) | np.insert(x,1,v,axis=0) | np.insert(x,[1],[[1.],[2.],[3.]],axis=1)
np.insert(x,[0,2],7.,axis=1) | np.insert(i,2,9.7) | np.insert(x,1,[1.,2.,3.],axis=1) | np.resize(v,(2,3))
np.resize(v,2) | np.resize(x,(k,7)) | np.compress(b,v) | np.compress(b,x,axis=1) | np.compress([True,False],x,axis=0)
np.extract(b,v) | np.extract(x>0,x) | np.repeat(v,i) | np.repeat(x,i,axis=1) | np.repeat(v,2) | np.repeat(v,[1,0,2,1])
np.repeat(x,k) | np.repeat(v,k) | np.trim_zeros(v-1) | np.trim_zeros(np.array([0.,0.,1.,0.,2.,0.]))
np.trim_zeros(np.array([0.,0.,1.,0.,2.,0.])*k,'f') | np.trim_zeros(np.array([0.,0.,1.,0.,2.,0.])*k,'b')
np.trim_zeros(v*0) | np.diagflat(v) | np.diagflat(x[:2],1) | np.r_[v,v] | np.r_[v,1.0,k] | np.r_[0:3,v] | np.r_[v]
np.c_[v,v] | np.c_[x,x] | np.c_[v,i] | np.add.reduceat(v,[0,2]) | np.add.reduceat(x,[0,2],axis=1)
np.add.reduceat(v,[2,0,1]) | np.maximum.reduceat(v,[0,1,3]) | np.multiply.reduceat(i,[0,2])
np.average(x,axis=0,weights=np.array([1.,2.,3.])) | np.average(x,axis=1,weights=v,returned=True)
np.average(v,returned=True) | np.average(x,weights=y) | np.average(x,axis=1,keepdims=True) | np.average(i)
np.vectorize(abs)(v) | np.vectorize(lambda a: a*2 if a>1 else 0.5)(x) | np.vectorize(lambda a,c: a+c)(x,v)
np.apply_along_axis(np.sum,0,x) | np.apply_along_axis(np.sum,1,x) | np.apply_along_axis(lambda r: r*2,1,x)
np.apply_along_axis(np.sort,0,x) | np.apply_along_axis(np.sum,0,v)
np.apply_along_axis(lambda r,c: r.max()-c,-1,x,2.0) | np.apply_along_axis(np.diag,1,x)
np.apply_along_axis(np.diag,0,x) | np.mgrid[0:3,0:2] | np.s_[0:3] | np.index_exp[0:3]
"""
METHODS = """
x.flat[3] | x.flat[[1,2]] | list(v.flat) | sum(e for e in x.flat) | len(x.flat) | x.strides | x.T.strides
x[:,::2].strides | v[0].strides | v[0].is_integer() | [a*2 for a in np.ndindex(2,2)]
x.T | x.mT | x.all() | x.any(axis=0) | x.argmax() | x.argmin(1) | x.argpartition(2) | x.argsort()
x.argsort(axis=0,kind='stable') | x.astype(int) | x.astype('f4') | x.astype(np.float32,copy=False)
x.astype(float,order='F') | i.choose([v,v*2,v*3]) | x.clip(0,1) | x.clip(min=0) | x.compress([True,False,True],axis=0)
x.conj() | x.conjugate() | x.copy() | x.cumprod() | x.cumprod(axis=1) | x.cumsum(0) | x.diagonal() | x.diagonal(1)
x.dot(v) | x.dtype | x.dtype.name | x.dtype.kind | x.flatten() | x.flatten('F') | x.imag | x.item(3) | x.item(1,2)
v[:1].item() | x.item((0,1)) | x.itemsize | x.max() | x.max(axis=1,keepdims=True) | x.mean() | x.mean(axis=(0,1))
x.min(initial=0) | x.nbytes | x.ndim | x.nonzero() | x.prod() | x.ravel() | x.ravel('F') | x.real | x.repeat(2)
x.repeat(2,axis=0) | v.repeat(i) | x.reshape(4,3) | x.reshape((2,-1)) | x.reshape(2,6,order='F') | x.round()
x.round(1) | v.searchsorted(1.5) | np.sort(v).searchsorted(v,'right') | x.shape | x.size | x.squeeze()
x[None].squeeze(0) | x.std() | x.std(axis=0,ddof=1) | x.sum() | x.sum(axis=1,keepdims=True) | x.sum(dtype=np.float32)
x.swapaxes(0,1) | x.take([1,2]) | x.take(i,axis=1) | x.take([0,20],mode='clip') | x.tolist() | v[0].tolist()
x.trace() | x.trace(offset=1) | x.transpose() | x.transpose(1,0) | x.transpose((1,0)) | x.var() | x.view()
x.__len__() | len(x) | x.nbytes + x.itemsize | v[0].item() | v[0].dtype | v[0].shape | v[0].ndim | v[0].size | v[0].T
v[0].real | v[0].astype(int) | v[0].round() | v[0].sum() | v[0].conjugate() | v[0].reshape(1) | v[0].flatten()
v[0].copy() | v[0].clip(0,1) | v[0].squeeze() | v[0].max() | v[0].itemsize | v[0].nbytes | int(i[1]) | complex(v[0])
x.max(0).tolist() | x.argmax(axis=0,keepdims=True) | x.mean(axis=0,dtype=np.float32) | x.any(keepdims=True)
x.all(axis=(0,1))
"""
POLYNOMIALS = """
np.poly(v) | np.poly(i) | np.poly(x[0]) | np.polyfit(v,v*2,1) | np.polyfit(np.arange(4.),v,2)
np.polyfit(np.arange(4.),x.T,1) | np.polyfit(i,v,1,w=v) | np.polyadd(v,v) | np.polyadd(v,[1.,2.]) | np.polysub(v,v)
np.polymul(v,v) | np.polyder(v) | np.polyint(v) | np.vander(v) | np.vander(v,3,increasing=True) | np.polyval(v,2.0)
np.unpackbits(i.astype(np.uint8)) | np.unpackbits(np.stack([i,i]).astype(np.uint8),axis=1,bitorder='little')
np.unstack(x) | np.unstack(x,axis=1) | np.fromiter((a*2 for a in v),float) | np.fromiter(range(k),int)
np.polynomial.polynomial.polyval(v,[1.,2.,3.]) | np.polynomial.polynomial.polyval(0.5,v)
np.polynomial.polynomial.polyadd(v,v) | np.polynomial.legendre.legval(v,[1.,2.])
np.fromfunction(lambda a,c:a*c,(2,k)) | np.trim_zeros(v) | np.ndim(v) | np.histogram(v,bins=3,density=True)
"""
OPTIONS = """
np.power(v,2,dtype=np.float32) | np.add(i,i,dtype=float) | np.divide(v,i,out=np.zeros(4),where=i!=0)
np.sum(x,where=x>0) | np.mean(x,where=x>0) | np.std(x,where=x>0) | np.max(x,initial=-5.,where=x<0)
np.any(x,where=x>0) | np.all(x>0,axis=1,keepdims=True) | np.sum(x,axis=1,keepdims=True,dtype=np.float32)
np.prod(i,dtype=float) | np.cumsum(i,dtype=float) | np.var(x,axis=0,ddof=1,keepdims=True)
np.argmax(x,axis=1,keepdims=True) | np.mean(i,dtype=np.float32) | np.log(v,where=v>1,out=np.zeros(4))
np.where(x>0,x,0).astype(int) | np.reshape(x,(2,6),order='F') | x.ravel(order='F') | x.flatten('F')
x.copy(order='F') | np.array(x,order='F') | np.zeros((2,2),order='F') | np.sort(x,kind='mergesort')
np.count_nonzero(x>0,axis=1,keepdims=True) | np.diff(x,n=2,axis=1,prepend=0.) | np.concatenate([x,x],axis=None)
np.concatenate([i,v],dtype=np.float32) | np.stack([i,v],dtype=float,casting='unsafe') | np.arange(5,dtype=np.float32)
np.linspace(0,1,3,dtype=np.float32) | np.full_like(i,2.7) | np.full_like(i,2.7,dtype=float)
np.zeros_like(x,shape=(2,2)) | np.ones_like(x,shape=k) | np.eye(3,k=1,dtype=int) | np.trace(x,offset=1)
np.tri(3,4,1) | np.round(x,decimals=1) | np.searchsorted(np.sort(v),[1.,2.],side='right') | np.split(v,[1],axis=0)
np.nanmean(x,axis=1,keepdims=True) | np.nansum(x,axis=0,dtype=np.float32) | np.linalg.norm(x,axis=(0,1))
np.tensordot(x,x,axes=([0,1],[0,1])) | np.einsum('ij,j->i',x,v,optimize=True) | np.ptp(x,axis=0,keepdims=True)
np.array(v,ndmin=2) | np.array([v,v],dtype=np.float32) | np.asarray(i,dtype=float)
np.isclose(v,v+1e-9,rtol=0,atol=1e-8) | np.allclose(x,x,equal_nan=True) | np.sum(v,initial=10.)
np.prod(v,initial=2.) | np.clip(x,a_min=0,a_max=1) | np.clip(v,np.array([1.5]),None)
np.outer(v,v,out=np.zeros((4,4)))
"""
SHAPES = """
np.unique(e0) | np.sort(e0) | np.cbrt(e0) | np.union1d(e0,v) | np.intersect1d(e0,v) | np.setxor1d(e0,v)
np.delete(e0,[]) | np.insert(e0,0,1.) | np.trim_zeros(e0) | np.repeat(e0,2) | np.resize(e0,3) | np.compress([],e0)
np.partition(o1,0) | np.median(o1) | np.quantile(o1,0.5) | np.unique(o1) | np.fft.fft(o1) | np.linalg.norm(e0)
np.linalg.norm(z0) | np.cbrt(z0) | np.sinc(z0) | np.modf(z0) | np.frexp(z0) | np.median(z0) | np.quantile(z0,0.5)
np.sort_complex(o1) | np.unique(z0) | np.ravel(z0) | np.average(o1) | np.r_[z0,v] | np.linalg.inv(np.zeros((0,2,2)))
np.linalg.det(np.zeros((0,0))) | np.linalg.svd(o1[None]) | np.linalg.inv(np.zeros((2,2))*f) | np.linalg.inv(v)
np.linalg.inv(x) | np.linalg.solve(x,v) | np.linalg.cholesky(-np.eye(2)*f) | np.quantile(v,1.5) | np.percentile(v,-f)
np.fft.fft(v,0) | np.linalg.norm(x,5) | np.linalg.norm(v,'fro') | np.matrix_transpose(v) | np.insert(v,9,1.)
np.delete(v,9) | np.partition(v,9) | np.take(v,9) | np.nanargmax(v*np.nan) | np.average(v,weights=v*0) | np.cbrt(c)
np.ldexp(v,1.5) | np.bitwise_count(v) | np.spacing(i8) | np.cbrt(i8) | np.float_power(i8,2) | np.gcd(i8,6)
np.median(i8) | np.modf(i8) | np.nextafter(f4,0) | np.median(f4) | np.frexp(f4) | np.linalg.inv(f4[:1,None])
np.fft.fft(f4) | np.unique(f4) | np.unique(c) | np.sort(c) | np.median(c) | np.partition(c,1) | np.linalg.norm(c)
np.linalg.norm(c,1) | np.trapezoid(f4) | np.average(f4,weights=v[:3]) | np.quantile(i8,0.5) | np.nanmedian(f4)
np.nancumprod(f4) | np.union1d(i8,f4) | np.delete(f4,1) | np.insert(i8,1,300) | np.insert(f4,1,f)
np.where(f4>0,f4,0).dtype | np.fix(f4) | np.i0(f4) | np.sinc(f4) | np.logaddexp2(f4,f4) | np.interp(f,f4,f4)
np.cumulative_sum(i8) | np.nanmean(i8) | np.vecdot(c,c) | np.linalg.matrix_power(i8[:1,None],2)
np.linalg.multi_dot([i8[None],i8[:,None],i8[None]]) | np.kron(i8,f4) | np.cov(f4) | np.histogram(i8,3)
np.digitize(i8,[0,2,5])
"""


@pytest.mark.parametrize(
    "group",
    groups(LINEAR, FOURIER, ORDERS, SETS, OTHERS, UFUNCS, EDITING, METHODS, POLYNOMIALS, OPTIONS),
    ids="; ".join,
)
def test_expressions(group: tuple[str, ...]) -> None:
    agree_nearly(function_of(f"return ({', '.join(group)},)"), arguments, rtol=1e-7)


@grouped("text", expressions(SHAPES))
def test_shapes_and_dtypes(text: str) -> None:
    """Empty arrays, arrays of one element or no dimensions, other dtypes, and what is refused."""
    agree_nearly(function_of(text), arguments, rtol=1e-7)


RUN_TIME_EXTENTS = """
np.median(x[x>0]) | np.median(x[x>99]) | np.nanmedian(x[x>0]) | np.quantile(x[x>0],0.3)
np.quantile(x[x>0],[0.3,0.6]) | np.percentile(x[x>0],30) | np.unique(x[x>0]) | np.sort(x[x>0])
np.partition(x[x>0],1) | np.argpartition(x[x>0],1) | np.delete(x[x>0],i[:1]) | np.insert(x[x>0],1,5.)
np.resize(x[x>0],(2,3)) | np.compress(x[x>0]>1,x[x>0]) | np.extract(x[x>0]>1,x[x>0]) | np.repeat(x[x>0],2)
np.trim_zeros(x[x>0]) | np.diagflat(x[x>3]) | np.union1d(x[x>0],v) | np.setxor1d(x[x>0],v)
np.intersect1d(x[x>0],x[x>1]) | np.isin(x[x>0],x[x>1]) | np.fft.fft(x[x>0]) | np.fft.rfft(x[x>0])
np.fft.irfft(x[x>0]) | np.linalg.norm(x[x>0]) | np.linalg.norm(x[x>0],1)
np.linalg.inv(np.outer(v[v>1],v[v>1])+np.eye(len(v[v>1]))) | np.linalg.det(np.outer(v[v>1],v[v>1]))
np.linalg.solve(np.eye(len(v[v>1])),v[v>1]) | np.linalg.svd(np.outer(v[v>1],v)) | np.cbrt(x[x>0]) | np.gcd(i[i>0],2)
np.frexp(x[x>0]) | np.modf(x[x>0]) | np.sinc(x[x>0]) | np.nextafter(x[x>0],0) | np.cumulative_sum(x[x>0])
np.vecdot(x[x>0],x[x>0]) | np.interp(x[x>0],np.arange(4.),v) | np.diff(x[x>0]) | np.histogram(x[x>0],3)
np.cov(x[x>0]) | np.average(x[x>0],weights=x[x>0]) | np.r_[x[x>0],v] | np.c_[x[x>0],x[x>0]]
np.add.reduceat(x[x>0],[0,2]) | np.digitize(x[x>0],v*0+np.arange(4)) | np.unravel_index(np.argmax(x[x>0]),(3,4))
np.take(x[x>0],[0,1]) | np.put(x[x>0],[0],1.) | np.nanargmax(x[x>0]) | np.average(x[x>0])
np.std(x[x>0],where=x[x>0]>1) | np.apply_along_axis(np.sum,0,x[x>0]) | np.vectorize(lambda a:a*2)(x[x>0])
np.select([x[x>0]>1],[x[x>0]]) | np.linspace(0,1,len(x[x>0])) | np.eye(len(x[x>3])) | np.arange(len(x[x>0]))
np.tril(np.ones((len(x[x>3]),3))) | np.lexsort((x[x>0],x[x>0])) | np.searchsorted(np.sort(x[x>0]),v)
np.trapezoid(x[x>0]) | np.bincount(i[i>0]) | np.ravel(x[x>0]) | np.flip(x[x>0]) | np.roll(x[x>0],1) | np.pad(x[x>0],1)
np.tile(x[x>0],2) | np.stack([x[x>0],x[x>0]]) | np.outer(x[x>3],v) | np.kron(x[x>3],v)
np.einsum('i,i',x[x>0],x[x>0]) | np.dot(x[x>0],x[x>0]) | np.argsort(x[x>0]) | np.count_nonzero(x[x>0])
np.ptp(x[x>0]) | np.triu_indices(k) | np.meshgrid(x[x>3],v) | np.ix_(x[x>3],v) | np.broadcast_to(v,(k,4))
np.mean(x[x>99]) | np.linspace(0,1,k) | np.linspace(0.,v[0],i[1]) | np.linspace(0,1,i[1],retstep=True)
np.linspace(0,1,i[1],endpoint=False) | np.linspace(0,1,i[0]) | np.linspace(0,1,i[2])
np.linspace(v,2,i[1],endpoint=False) | np.linspace(v,v*2,3) | np.linspace(0,v,1) | np.linspace(0,1,1,retstep=True)
np.linspace(0,1,5,retstep=True) | np.insert(x[x>0],1,[5.,6.]) | np.delete(x[x>0],[0,1]) | np.nanmedian(x[x>99])
np.nanquantile(x[x>99],0.5)
"""


@pytest.mark.parametrize("group", groups(RUN_TIME_EXTENTS), ids="; ".join)
def test_extents_known_at_run_time_only(group: tuple[str, ...]) -> None:
    agree_nearly(function_of(f"return ({', '.join(group)},)"), arguments, rtol=1e-7)


IN_PLACE = """
x.flat[3] = 9.; return x
x.flat[[1,2]] = 9.; return x
x.flat = 3.; return x
x.flat = v; return x
x.real = 3.; return x
z = v + 1j; z.imag = v; z.real = 0; return z
np.put(v,[0,2],[7.,8.]); return v
np.put(v,i,[7.,8.]); return v
np.put(x,[1,13],5.,mode='wrap'); return x
np.putmask(v,v>1,v*10); return v
np.putmask(x,x>1,[1.,2.]); return x
np.place(x,x>1,[1.,2.]); return x
np.copyto(v,5.); return v
np.copyto(x,v); return x
np.copyto(x,v,where=x>0); return x
np.copyto(i,v); return i
np.fill_diagonal(x,9.); return x
np.fill_diagonal(x,[1.,2.]); return x
np.put_along_axis(x,np.argmax(x,axis=1)[:,None],0.,axis=1); return x
np.add.at(v,i,1.0); return v
np.add.at(v,i,v); return v
np.subtract.at(x,(i[:3],i[1:]),2.0); return x
np.multiply.at(v,[0,0,1],3.); return v
np.maximum.at(v,i,2.5); return v
np.add.at(x,0,v); return x
y = np.zeros(4); np.put(y,[1],3.); return y
y = np.zeros((2,4)); np.copyto(y,v); return y
x.fill(3.0); return x
x.sort(); return x
x.partition(1); return x
v.partition(2); return v
v.put([0],[9.]); return v
x.T[0] = 1.; return x
x.real[0] = 1.; return x
np.clip(x,0,1,out=x); return x
np.add(x,1,out=x,where=x>0); return x
np.cumsum(v,out=v); return v
np.sum(x,axis=0,out=v); return v
np.dot(x,v,out=np.zeros(3)); return x
np.maximum(x,0,out=x); return x
np.exp(v,out=v); return v
np.nan_to_num(x,copy=False); return x
np.multiply(v,2,v); return v
x.sort(axis=0); return x
v[::-1].sort(); return v
np.mean(x,axis=0,out=v); return v
np.take(v,i,out=v); return v
np.sqrt(np.abs(x),out=x); return x
np.negative(i,out=i); return i
np.matmul(x,x.T,out=np.zeros((3,3))); return x
np.add(v,i,out=i,casting='unsafe'); return i
x.partition(2,axis=1); return x
v.put([0,1],[9.]); return v
v.put(i,1.); return v
x.sum(axis=0,out=v); return v
x.clip(0,1,out=x); return x
x.round(out=x); return x
y = x.view(); y[0] = 1.; return x
"""


@grouped("text", IN_PLACE.strip().splitlines())
def test_in_place(text: str) -> None:
    lines = text.replace("; ", "\n")
    agree_nearly(function_of(lines), arguments)


# --- constants, regions, gradients ---------------------------------------------------------------------------

CONSTANTS = """
np.fft.fftfreq(4) | np.broadcast_shapes((3, 1), (1, 4)) | np.kaiser(5, 2.0) | np.roots([1, 2, -3]) | np.linalg.eig(np.array([[2.0, 1.0], [1.0, 3.0]]))
np.promote_types("f4", "i8") | np.hanning(5) | np.linalg.eigvals(np.array([[0.0, 1.0], [-1.0, 0.0]])) | np.base_repr(5)
np.polynomial.legendre.leggauss(3) | np.linspace(0, 1, 5, retstep=True) | np.packbits(np.array([1, 0, 1], np.uint8)) | np.s_[1:3]
np.frombuffer(b"ab", np.uint8)
"""


@grouped("text", expressions(CONSTANTS))
def test_constants(text: str) -> None:
    agree_nearly(function_of(text), arguments)


def test_constants_are_new_arrays_at_each_call() -> None:
    compiled = jit(function_of("made = np.fft.fftfreq(4)\nmade += 1\nreturn made"))
    first = compiled(*arguments())
    first[0] = 9.0
    np.testing.assert_array_equal(compiled(*arguments()), np.fft.fftfreq(4) + 1)


SCALE = [2.0]


def scaled(a: Any, b: Any) -> Any:
    return a * SCALE[0] + b


def test_functions_given_to_numpy_are_called_at_each_call() -> None:
    compiled = jit(program("np.fromfunction(g, (2, 2))", "x", g=scaled))
    context.set_context(jit_syntax_level="LAX")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        first = compiled(1.0)
        SCALE[0] = 3.0
        np.testing.assert_array_equal(compiled(1.0) - first, [[0.0, 0.0], [1.0, 1.0]])
    SCALE[0] = 2.0


@pytest.mark.parametrize(
    "text",
    [
        "np.roots(v)",
        "np.linalg.eigvals(sq)",
        "np.real_if_close(z)",
        "[list(g) for _, g in itertools.groupby([1, 1, 2])]",
    ],
)
def test_what_depends_on_values_is_done_by_the_interpreter(text: str) -> None:
    context.set_context(jit_syntax_level="LAX")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        agree_nearly(function_of(text), arguments)


GRADIENTS = """
np.sum(np.cbrt(a)) | np.sum(np.sinc(a)) | np.median(a) | np.quantile(a, 0.3) | np.sum(np.partition(a, 2)[:2]) | np.sum(np.linalg.inv(m(a)))
np.sum(np.linalg.solve(m(a), a[:2])) | np.linalg.det(m(a)) | np.linalg.norm(m(a), 2) | np.linalg.cond(m(a)) | np.sum(np.linalg.pinv(m(a)))
np.sum(np.logaddexp2(a, 1.0)) | np.sum(np.modf(a)[0]) | np.sum(np.frexp(a)[0]) | np.sum(np.ldexp(a, 2)) | np.sum(np.i0(a)) | np.sum(np.fft.fft(a).real[1:2])
np.sum(np.delete(a, 1)) | np.sum(np.insert(a, 1, 2.0) ** 2) | np.sum(np.unique(a)[:2]) | np.sum(np.average(a, weights=a)) | np.sum(np.vecdot(a, a))
math.fsum(a) | math.hypot(a[0], a[1], a[2]) | np.linalg.lstsq(np.stack([a, a * a], 1), a[::-1], rcond=None)[0].sum() | np.nanmedian(a)
np.interp(a[0], np.array([0.0, 2.0]), a[:2]) | np.sum(np.trapezoid(a)) | np.linalg.slogdet(m(a))[1] | np.sum(np.add.reduceat(a, [0, 2])[:1])
"""


@pytest.mark.parametrize("text", expressions(GRADIENTS))
def test_gradients(text: str) -> None:
    """Finite differences."""
    f = program(
        f"m = lambda a: np.array([[3.0, 1.0], [0.5, 4.0]]) + np.reshape(a, (2, 2))\nreturn {text}", "a", math=math
    )
    at = np.array([0.37, 1.21, 0.83, 1.9])
    step = 1e-6
    wanted = [(f(at + step * row) - f(at - step * row)) / (2 * step) for row in np.eye(4)]
    np.testing.assert_allclose(grad(f)(at), wanted, rtol=1e-5, atol=1e-7)


def test_functions_of_rows_and_elements_are_called_once_for_each() -> None:
    f = program(
        """
        seen = []
        def note(row):
            seen.append(float(row[0]))
            return row[0] * 2
        made = np.apply_along_axis(note, 1, x)
        return made, seen
        """,
        "x",
    )
    got = outcome(jit(f), lambda: [X.copy()])
    assert got.error is None
    assert got.result == outcome(f, lambda: [X.copy()]).result
